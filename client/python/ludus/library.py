"""Finds and loads libludus.so; client/library/ludus.h describes its functions. Nobody else knows ctypes' types of them."""
import ctypes
import os

API = 1
MOVES_MAX, SQUARES_MAX, TEXT_MAX = 320, 100, 256


class LibraryMissing(ImportError):
    """libludus.so was not found, or is of another version."""


# struct ludus_position: bytes that stay as they are, or room for one.
DATA_BYTES = 72
Data = ctypes.c_char * DATA_BYTES


def tree():
    """Returns the root of the sources that this package is part of."""
    return os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


def candidates():
    if "LUDUS_LIBRARY" in os.environ:  # whoever sets it means this one
        return [os.environ["LUDUS_LIBRARY"]]
    here = os.path.dirname(os.path.abspath(__file__))
    return [os.path.join(here, "libludus.so"), os.path.join(tree(), "build", "libludus.so"), "libludus.so"]


def load():
    tried = []
    for path in candidates():
        try:
            # Most functions take less time than to let other threads run; those for many, below, let them.
            library, slow = ctypes.PyDLL(path), ctypes.CDLL(path)
        except OSError as error:
            tried.append(str(error))
            continue
        if library.ludus_api() != API:
            raise LibraryMissing(f"{path}: speaks version {library.ludus_api()}, not {API}: make lib")
        return library, slow
    raise LibraryMissing("no libludus.so: `make lib` builds it, LUDUS_LIBRARY names it: " + "; ".join(tried))


LIBRARY, SLOW = load()


OF_MANY = ("perft", "step_many", "mask_many", "random_many", "random_game")


def declare():
    # A position is passed as bytes, what is written as an address.
    text, integer, many = ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p
    data = text
    for name, result, *arguments in (
            ("game_name", text, integer), ("variant_name", text, integer, integer), ("repetition_draws", ctypes.c_bool, integer),
            ("open", ctypes.c_bool, text, many, text), ("read", ctypes.c_bool, text, text, many, text),
            ("write", None, data, text), ("write_game", None, data, text), ("game", integer, data), ("width", integer, data),
            ("height", integer, data), ("side", integer, data), ("board", None, data, text), ("letters", integer, data, text),
            ("action_count", integer, data), ("legal", integer, data, many), ("after", ctypes.c_bool, data, integer, many),
            ("action", integer, data, text, text), ("write_action", ctypes.c_bool, data, integer, text),
            ("outcome", integer, data, ctypes.POINTER(text)), ("score", ctypes.c_bool, data, ctypes.c_int * 2),
            ("key", ctypes.c_uint64, data), ("plane_count", integer, data),
            ("planes", None, data, many), ("step_many", integer, many, many, integer, many, many),
            ("mask_many", None, many, integer, many, integer),
            ("random_many", None, many, integer, ctypes.POINTER(ctypes.c_uint64), many),
            ("random_game", integer, many, ctypes.POINTER(ctypes.c_uint64), integer), ("perft", ctypes.c_uint64, data, integer)):
        function = getattr(SLOW if name in OF_MANY else LIBRARY, "ludus_" + name)
        function.restype, function.argtypes = result, arguments


declare()
