#include "lesson.h"

static const struct lesson lessons[] = {
    {.title = "Jump",
     .task = "A warrior goes one tile in any of the eight directions, or jumps over that tile to "
             "the next "
             "one, if both are empty. The tile that it jumps over is gone for good. Jump, and "
             "remove the "
             "tile on d4.",
     .position = "*5*/5k1/7/2W4/7/1K5/*5* w 0",
     .effect = "takes d4",
     .moves = "c4e4",
     .done = "d4 is a hole now. Nobody can stand there.",
     .frame = "b3f5"},
    {.title = "Across holes",
     .task = "Pieces look across holes: the next tile in a direction is the first one behind them. "
             "Move "
             "your warrior across the hole to e4, without removing a tile.",
     .position = "*5*/5k1/7/2W*3/7/1K5/*5* w 0",
     .effect = "to e4",
     .moves = "c4e4",
     .done = "The first tile that c4 sees to the right is e4.",
     .frame = "b3f5"},
    {.title = "Check",
     .task = "A king that an enemy warrior sees is in check. Give check.",
     .position = "*5*/7/7/4k2/1W5/1K5/*5* w 0",
     .effect = "checks",
     .moves = "b3d3 b3d5",
     .done = "The king on e4 is right beside your warrior now, and has to move.",
     .frame = NULL},
    {.title = "Out of check",
     .task = "In check, only the king may move, and one square only. Get out of check.",
     .position = "*5*/5k1/7/7/3w3/3K3/*5* w 0",
     .effect = "moves d2",
     .moves = "d2c1 d2d1 d2e1 d2d3",
     .done = "The warrior does not see your king any more.",
     .frame = NULL},
    {.title = "Capture",
     .task =
         "A king in check may capture a warrior right next to it. Nothing else captures. Take the "
         "warrior.",
     .position = "*5*/5k1/7/7/3w3/3K3/*5* w 0",
     .effect = "takes d3",
     .moves = "d2d3",
     .done = "Black is one warrior short.",
     .frame = "c1e4"},
    {.title = "The king far away",
     .task = "Not in check, the king moves to the tile that it sees in a direction, across any "
             "number of "
             "holes. Bring yours from a4 to f4 in one move.",
     .position = "*5*/3k3/7/K****2/7/7/*5* w 0",
     .effect = "to f4",
     .moves = "a4f4",
     .done = "Where tiles are few, kings travel far.",
     .frame = NULL},
    {.title = "Checkmate",
     .task = "A king in check that cannot move is mated, and the match is over. Mate in one move.",
     .position = "*W1*2*/1****2/2*1*2/kw****1/2****1/1W***2/*2w1K* w 0",
     .effect = "ends 1-0 checkmate",
     .moves = "b7b5",
     .done = "b5 sees the king on a4; b5 and b2 see every tile that it could step to, and taking "
             "b5 would let the kings see each other.",
     .frame = "a1e7"},
};

const struct course course_shakti = {&shakti, lessons, sizeof lessons / sizeof lessons[0]};
