// A match of each game that two bots have played, for the start page while nobody plays: it costs the server nothing. From
// `ludus-bot selfplay GAME --level medium --nodes 3000 --opening 2 --seed 3`.

/** @type {{[game: string]: Reel}} */
export const reels = {
	clobber: {
		variant: '5x6', result: '1-0', reason: 'no-moves',
		moves: 'b5b6 a3b3 b1b2 b3b2 d1d2 c3c4 a4b4 e1e2 b4c4 a5a6 c2b2 e5e4 e6d6 a1a2 d2e2 a6b6 c6c5 d4d5 d3e3 e4e3 d6d5 a2b2 e2e3',
		positions: [
			'PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w', 'PPPpP/p1pPp/PpPpP/pPpPp/PpPpP/pPpPp b', 'PPPpP/p1pPp/PpPpP/1ppPp/PpPpP/pPpPp w', 'PPPpP/p1pPp/PpPpP/1ppPp/PPPpP/p1pPp b',
			'PPPpP/p1pPp/PpPpP/2pPp/PpPpP/p1pPp w', 'PPPpP/p1pPp/PpPpP/2pPp/PpPPP/p1p1p b', 'PPPpP/p1pPp/PpppP/3Pp/PpPPP/p1p1p w', 'PPPpP/p1pPp/1PppP/3Pp/PpPPP/p1p1p b',
			'PPPpP/p1pPp/1PppP/3Pp/PpPPp/p1p2 w', 'PPPpP/p1pPp/2PpP/3Pp/PpPPp/p1p2 b', 'pPPpP/2pPp/2PpP/3Pp/PpPPp/p1p2 w', 'pPPpP/2pPp/2PpP/3Pp/PP1Pp/p1p2 b',
			'pPPpP/2pP1/2Ppp/3Pp/PP1Pp/p1p2 w', 'pPPP1/2pP1/2Ppp/3Pp/PP1Pp/p1p2 b', 'pPPP1/2pP1/2Ppp/3Pp/pP1Pp/2p2 w', 'pPPP1/2pP1/2Ppp/3Pp/pP2P/2p2 b',
			'1pPP1/2pP1/2Ppp/3Pp/pP2P/2p2 w', '1p1P1/2PP1/2Ppp/3Pp/pP2P/2p2 b', '1p1P1/2Pp1/2P1p/3Pp/pP2P/2p2 w', '1p1P1/2Pp1/2P1p/4P/pP2P/2p2 b',
			'1p1P1/2Pp1/2P2/4p/pP2P/2p2 w', '1p3/2PP1/2P2/4p/pP2P/2p2 b', '1p3/2PP1/2P2/4p/1p2P/2p2 w', '1p3/2PP1/2P2/4P/1p3/2p2 b',
		],
	},
	xadrersi: {
		variant: 'touch', result: '0-1', reason: 'score',
		moves: 'K@c1 N@b2 Q@a3 Q@c2 B@c3 B@d4 N@e3 B@d5 B@d3 R@b4 R@c6 N@d6 R@b7 R@c7 N@f3 K@g4',
		positions: [
			'8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -', '8/8/8/8/8/8/8/2K5[QRRBBNNkqrrbbnn] b - c1', '8/8/8/8/8/8/1n6/2K5[QRRBBNNkqrrbbn] w - b2', '8/8/8/8/8/Q7/1n6/2K5[RRBBNNkqrrbbn] b Q a3',
			'8/8/8/8/8/Q7/1nq5/2K5[RRBBNNkrrbbn] w - c2', '8/8/8/8/8/Q1B5/1nq5/2K5[RRBNNkrrbbn] b - c3', '8/8/8/8/3b4/Q1B5/1nq5/2K5[RRBNNkrrbn] w - d4', '8/8/8/8/3b4/Q1B1N3/1nq5/2K5[RRBNkrrbn] b - e3',
			'8/8/8/3b4/3b4/Q1B1N3/1nq5/2K5[RRBNkrrn] w - d5', '8/8/8/3b4/3b4/Q1BBN3/1nq5/2K5[RRNkrrn] b - d3', '8/8/8/3b4/1r1b4/Q1BBN3/1nq5/2K5[RRNkrn] w - b4', '8/8/2R5/3b4/1r1b4/Q1BBN3/1nq5/2K5[RNkrn] b - c6',
			'8/8/2Rn4/3b4/1r1b4/Q1BBN3/1nq5/2K5[RNkr] w - d6', '8/1R6/2Rn4/3b4/1r1b4/Q1BBN3/1nq5/2K5[Nkr] b - b7', '8/1Rr5/2Rn4/3b4/1r1b4/Q1BBN3/1nq5/2K5[Nk] w - c7', '8/1Rr5/2Rn4/3b4/1r1b4/Q1BBNN2/1nq5/2K5[k] b - f3',
			'8/1Rr5/2Rn4/3b4/1r1b2k1/Q1BBNN2/1nq5/2K5[] w - g4',
		],
	},
	latrunculi: {
		variant: 'standard', result: '0-1', reason: 'dux-immobilised',
		moves: 'h1h5 b8b6 e2e7 h8h6 g1g5 c8c3 d1d3 f8f7 g5g7 b6g6 e1e6 g8g7 b1b3 g6g5 c1c5 g7f7 e6c6 d8e8 c6g6 f7f6 a1e1 f6f7 f1f6 g5f5 e1e6 a8e8',
		positions: [
			'ssssssss/3d4/8/8/8/8/4D3/SSSSSSSS w 0', 'ssssssss/3d4/8/7S/8/8/4D3/SSSSSSS1 b 1', 's1ssssss/3d4/1s6/7S/8/8/4D3/SSSSSSS1 w 2', 's1ssssss/3dD3/1s6/7S/8/8/8/SSSSSSS1 b 3',
			's1sssss1/3dD3/1s5s/7S/8/8/8/SSSSSSS1 w 4', 's1sssss1/3dD3/1s5s/6SS/8/8/8/SSSSSS2 b 5', 's2ssss1/3dD3/1s5s/6SS/8/2s5/8/SSSSSS2 w 6', 's2ssss1/3dD3/1s5s/6SS/8/2sS4/8/SSS1SS2 b 7',
			's2ss1s1/3dDs2/1s5s/6SS/8/2sS4/8/SSS1SS2 w 8', 's2ss1s1/3dD1S1/1s5s/7S/8/2sS4/8/SSS1SS2 b 0', 's2ss1s1/3dD3/6ss/7S/8/2sS4/8/SSS1SS2 w 0', 's2s2s1/3dD3/4S1ss/7S/8/2sS4/8/SSS2S2 b 0',
			's2s4/3dD1s1/4S1ss/7S/8/2sS4/8/SSS2S2 w 1', 's2s4/3dD1s1/4S1ss/7S/8/1S1S4/8/S1S2S2 b 0', 's2s4/3dD1s1/4S2s/6s1/8/1S1S4/8/S1S2S2 w 0', 's2s4/3dD1s1/4S2s/2S3s1/8/1S1S4/8/S4S2 b 1',
			's2s4/3dDs2/4S2s/2S3s1/8/1S1S4/8/S4S2 w 2', 's2s4/3dDs2/2S4s/2S3s1/8/1S1S4/8/S4S2 b 3', 's3s3/3dDs2/2S4s/2S3s1/8/1S1S4/8/S4S2 w 4', 's3s3/3dDs2/6Ss/2S3s1/8/1S1S4/8/S4S2 b 5',
			's3s3/3dD3/5s1s/2S3s1/8/1S1S4/8/S4S2 w 0', 's3s3/3dD3/5s1s/2S3s1/8/1S1S4/8/4SS2 b 1', 's3s3/3dDs2/7s/2S3s1/8/1S1S4/8/4SS2 w 2', 's3s3/3dDs2/5S1s/2S3s1/8/1S1S4/8/4S3 b 3',
			's3s3/3dDs2/7s/2S2s2/8/1S1S4/8/4S3 w 0', 's7/3dDs2/4S2s/2S2s2/8/1S1S4/8/8 b 0', '4s3/3dDs2/4S2s/2S2s2/8/1S1S4/8/8 w 1',
		],
	},
	shakti: {
		variant: 'standard', result: '0-1', reason: 'checkmate',
		moves: 'b2a3 b6d4 a3b4 d6e7 f2e3 d4e4 b4c3 f6d4 c3d3 e7d7 d2d1 d4b2 d3d5 b2b3 d1e1 b3d3 e1f2 d7e7 f2f1 d3d1 e3f2 d1f3 d5d3 e4e3 d3d6 e7d6 f2g3 f3f2',
		positions: [
			'*5*/1w1k1w1/7/7/7/1W1K1W1/*5* w 0', '*5*/1w1k1w1/7/7/W6/3K1W1/*5* b 0', '*5*/3k1w1/2*4/3w3/W6/3K1W1/*5* w 0', '*5*/3k1w1/2*4/1W1w3/7/3K1W1/*5* b 0',
			'*3k1*/5w1/2*4/1W1w3/7/3K1W1/*5* w 0', '*3k1*/5w1/2*4/1W1w3/4W2/3K3/*5* b 0', '*3k1*/5w1/2*4/1W2w2/4W2/3K3/*5* w 0', '*3k1*/5w1/2*4/4w2/2W1W2/3K3/*5* b 0',
			'*3k1*/7/2*1*2/3ww2/2W1W2/3K3/*5* w 0', '*3k1*/7/2*1*2/3ww2/3WW2/3K3/*5* b 0', '*2k2*/7/2*1*2/3ww2/3WW2/3K3/*5* w 0', '*2k2*/7/2*1*2/3ww2/3WW2/7/*2K2* b 0',
			'*2k2*/7/2*1*2/4w2/2*WW2/1w5/*2K2* w 0', '*2k2*/7/2*W*2/3*w2/2*1W2/1w5/*2K2* b 0', '*2k2*/7/2*W*2/3*w2/1w*1W2/7/*2K2* w 0', '*2k2*/7/2*W*2/3*w2/1w*1W2/7/*3K1* b 0',
			'*2k2*/7/2*W*2/3*w2/2*wW2/7/*3K1* w 0', '*2k2*/7/2*W*2/3*w2/2*wW2/5K1/*5* b 0', '*3k1*/7/2*W*2/3*w2/2*wW2/5K1/*5* w 0', '*3k1*/7/2*W*2/3*w2/2*wW2/7/*4K* b 0',
			'*3k1*/7/2*W*2/3*w2/2*1W2/3*3/*2w1K* w 0', '*3k1*/7/2*W*2/3*w2/2*4/3*1W1/*2w1K* b 0', '*3k1*/7/2*W*2/3*w2/2*2w1/3**W1/*4K* w 0', '*3k1*/7/2*1*2/3*w2/2*W1w1/3**W1/*4K* b 0',
			'*3k1*/7/2*1*2/3*3/2*Www1/3**W1/*4K* w 0', '*3k1*/3W3/2***2/3*3/2*1ww1/3**W1/*4K* b 0', '*5*/3k3/2***2/3*3/2*1ww1/3**W1/*4K* w 0', '*5*/3k3/2***2/3*3/2*1wwW/3**2/*4K* b 0',
			'*5*/3k3/2***2/3*3/2*1w1W/3**w1/*4K* w 0',
		],
	},
};
