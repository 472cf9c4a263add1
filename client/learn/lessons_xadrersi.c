#include "lesson.h"

static const struct lesson lessons[] = {
    {.title = "The king first",
     .task =
         "You place pieces and never move them. White's first piece is the king, anywhere; in the "
         "middle it attacks most. Place it on d4.",
     .position = "8/8/8/8/8/8/8/8[KQRRBBNNkqrrbbnn] w - -",
     .effect = "to d4",
     .moves = "K@d4",
     .done = "It attacks the eight squares around it, a point each.",
     .frame = NULL},
    {.title = "Touch",
     .task = "Every other piece is placed next to a piece on the board, of either side. You are "
             "Black: place a knight (Tab changes the piece).",
     .position = "8/8/8/8/3K4/8/8/8[QRRBBNNkqrrbbnn] b - d4",
     .effect = "places N",
     .moves = "N@c3 N@d3 N@e3 N@c4 N@e4 N@c5 N@d5 N@e5",
     .done = "It takes a square from the king, and attacks up to eight itself.",
     .frame = NULL},
    {.title = "Points",
     .task = "You get a point for each empty square that a piece of yours attacks, once for each "
             "such piece. Place the piece that puts you furthest ahead.",
     .position = "8/8/8/8/8/2K5/1n6/8[QRRBBNNkqrrbbn] w - b2",
     .effect = "gains",
     .moves = "Q@d4",
     .done = "A queen in the middle attacks most, and d4 is the nearest such square.",
     .frame = NULL},
    {.title = "Get in the way",
     .task = "A line ends at the first piece. Place your queen in the long line of the rook, where "
             "it attacks most itself.",
     .position = "8/8/8/8/8/2K5/3r4/8[QRRBBNNkqrbbnn] w - d2",
     .effect = "gains",
     .moves = "Q@d4",
     .done = "The rook has lost the squares from d4 up, and the queen has gained them.",
     .frame = "b1g5"},
    {.title = "Two bishops",
     .task = "Your two bishops stand on squares of different colours. Place the second one.",
     .position = "8/8/2n5/2B5/3K4/4n3/8/8[QRRBNNkqrrbb] w - e3",
     .effect = "places B",
     .moves = "B@e2 B@d3 B@f3 B@c4 B@e4 B@b5 B@d5 B@b7 B@d7",
     .done = "The bishop on c5 stands on a dark square, so this one had to take a light one.",
     .frame = NULL},
    {.title = "The queen is called",
     .task = "When a queen is placed and the other side still holds its own, that is its next "
             "piece. Black has placed the queen: answer with yours.",
     .position = "8/8/8/3q4/3K4/8/8/8[QRRBBNNkrrbbnn] w Q d5",
     .effect = "places Q",
     .moves = "Q@e5 Q@c3 Q@d3 Q@e3 Q@c4 Q@e4 Q@c5 Q@c6 Q@d6 Q@e6",
     .done = "It was the only piece that you could place.",
     .frame = NULL},
    {.title = "The variant attack",
     .task = "In the variant attack a piece is placed where an enemy piece attacks, and occupied "
             "squares count, too. You are Black: place a rook.",
     .variant = "attack",
     .position = "8/8/8/3K4/8/8/8/8[QRRBBNNkqrrbbnn] b - d5",
     .effect = "places R",
     .moves = "R@d4 R@c4 R@e4 R@c5 R@e5 R@c6 R@d6 R@e6",
     .done = "The king attacks these eight squares, and no others.",
     .frame = NULL},
};

const struct tutorial tutorial_xadrersi = {&xadrersi, lessons, sizeof lessons / sizeof lessons[0]};
