#include "lesson.h"

static const struct lesson lessons[] = {
    {.title = "The move",
     .task = "A move takes an enemy stone next to one of yours: left, right, above or below. Take "
             "the black stone.",
     .position = "3/1Pp/3 w",
     .effect = "takes c2",
     .moves = "b2c2",
     .done = "Your stone stands where the black one was.",
     .frame = "a1c3"},
    {.title = "Not diagonally",
     .task = "Stones that touch only at a corner are safe from each other. Take the one stone that "
             "you can take.",
     .position = "p1p/1P1/pp1 w",
     .effect = "takes b1",
     .moves = "b2b1",
     .done = "The others stood diagonally from your stone.",
     .frame = "a1c3"},
    {.title = "Always take",
     .task =
         "Every move takes a stone, and there is no passing. A player who cannot take loses. Take, "
         "so that black cannot.",
     .position = "3/pPp/3 w",
     .effect = "ends 1-0 no-moves",
     .moves = "b2a2 b2c2",
     .done = "The black stone that is left has no white one beside it: black loses.",
     .frame = NULL},
    {.title = "Mind what you leave",
     .task = "Three moves are possible, and one of them wins at once. Find it.",
     .position = "PpPp w",
     .effect = "ends 1-0 no-moves",
     .moves = "c1b1",
     .done = "The black stone on d1 stands alone now, out of play.",
     .frame = NULL},
    {.title = "Read ahead",
     .task = "Three moves again. After one of them black loses, whatever it replies.",
     .position = "Ppp1/p1pP w",
     .effect = "wins",
     .moves = "a2b2",
     .done = "Two fights are left, of one move each. Black takes in one, and you take the last "
             "stone in the other.",
     .frame = NULL},
    {.title = "Two fights",
     .task = "Groups that do not touch are fights of their own, and the last move in all of them "
             "together wins. Leave black two fights of one move each.",
     .position = "pP1p/p3/1PpP w",
     .effect = "wins",
     .moves = "b3a3",
     .done = "Whatever black takes now, you take in the other fight, and black is stuck.",
     .frame = NULL},
};

const struct tutorial tutorial_clobber = {&clobber, lessons, sizeof lessons / sizeof lessons[0]};
