#include "lesson.h"

static const struct lesson lessons[] = {
    {.title = "Between two",
     .task = "All pieces move like a rook in chess: straight, as far as the way is free. An enemy "
             "soldier is captured when you move next to it and another piece of yours stands right "
             "behind it. Capture the soldier on d5.",
     .position = "7d/8/8/3sS3/8/8/8/2S4D w 0",
     .effect = "takes d5",
     .moves = "c1c5",
     .done = "It stood between c5 and e5.",
     .frame = "b4f6"},
    {.title = "Walking in is safe",
     .task =
         "Only the side that moves captures. A soldier may step between two enemies and stays. Go "
         "to d5, between the two.",
     .position = "7d/8/8/2s1s3/8/8/8/3S3D w 0",
     .effect = "to d5",
     .moves = "d1d5",
     .done = "Nothing is captured. To capture you, one of the two has to leave and come back.",
     .frame = "b4f6"},
    {.title = "On the edge",
     .task = "A soldier on an edge has three neighbours. Hold two of them, whichever, by moving to "
             "one of "
             "the two. Capture the soldier on a4.",
     .position = "7d/8/8/S7/s7/8/8/1S5D w 0",
     .effect = "takes a4",
     .moves = "b1b4",
     .done = "You hold a5 and b4. Off the edges, the two would have to stand opposite each other.",
     .frame = "a3c6"},
    {.title = "In a corner",
     .task = "A soldier in a corner has two neighbours. Hold both. Capture the soldier on a1.",
     .position = "1S5d/8/8/8/8/8/S6D/s7 w 0",
     .effect = "takes a1",
     .moves = "b8b1",
     .done = "You hold a2 and b1.",
     .frame = "a1c3"},
    {.title = "Flank",
     .task = "Two or more enemies stand in a row, with a piece of yours at the far end. Move along "
             "that "
             "row up to the near end: the nearest soldier is captured. Capture the one on c5.",
     .position = "7d/8/8/S1ssS3/8/8/8/7D w 0",
     .effect = "takes c5",
     .moves = "a5b5",
     .done = "The row from c5 to d5 stood between b5 and e5. Only its nearest soldier goes.",
     .frame = "a4f6"},
    {.title = "Push and crush",
     .task =
         "Move up behind a piece of yours. If an enemy soldier is right ahead of that, and has its "
         "back to the edge or to another piece of yours, it is crushed. Capture the soldier on h5.",
     .position = "7d/8/8/2S3Ss/8/8/8/D7 w 0",
     .effect = "takes h5",
     .moves = "c5f5",
     .done = "f5 pushes g5, and h5 cannot give way. Nothing else moves.",
     .frame = "c4h6"},
    {.title = "Phalanx",
     .task =
         "Move up behind pieces of yours in a row, beside a second row as long as yours: two rows, "
         "side by side. They capture the soldier right ahead of you, whatever is behind it. "
         "Capture "
         "the one on e5.",
     .position = "7d/8/2SS4/S2Ss3/8/8/8/7D w 0",
     .effect = "takes e5",
     .moves = "a5c5",
     .done = "c5 and d5 with c6 and d6 are a square of two by two.",
     .frame = "a4f7"},
    {.title = "Locked",
     .task =
         "A soldier next to an enemy is locked: it may only capture, or move next to the enemy "
         "dux. "
         "It is free again once every enemy next to it has another piece of yours beside it. Your "
         "soldier on d4 is locked. Make a move that it may make.",
     .position = "8/8/8/d2s4/3S4/8/8/S6D w 0",
     .effect = "moves d4",
     .moves = "d4a4",
     .done = "On a4 it attacks the dux. To capture was not possible, and nothing else was allowed.",
     .frame = NULL},
    {.title = "The dux",
     .task = "The dux is never captured, but enemies cramp it. With one square next to it "
             "occupied, by an "
             "enemy, it goes one step at a time; further only to capture or to attack the other "
             "dux. With "
             "two occupied it may only do those two things. Move your dux.",
     .position = "d7/8/8/8/3Ds3/8/8/S6s w 0",
     .effect = "moves d4",
     .moves = "d4d5 d4c4 d4d3",
     .done = "A single step was all it had. Beside two occupied squares it would have had none.",
     .frame = NULL},
    {.title = "Surround the dux",
     .task = "You win when all squares next to the enemy dux are occupied, by anyone, and one of "
             "them by "
             "you. Win.",
     .position = "2sd4/3s4/8/8/4S3/8/8/S6D w 0",
     .effect = "ends 1-0 dux-immobilised",
     .moves = "e4e8",
     .done = "c8, d7 and e8 are occupied: the dux cannot move any more.",
     .frame = "b6f8"},
};

const struct course course_latrunculi = {&latrunculi, lessons, sizeof lessons / sizeof lessons[0]};
