#include "number.h"

bool number_parse(const char *text, size_t length, long min, long max, long *value)
{
    long number = 0;

    if (length == 0 || (length > 1 && text[0] == '0'))
        return false;
    for (size_t i = 0; i < length; i++) {
        int digit = text[i] - '0';
        if (digit < 0 || digit > 9 || number > (max - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    if (number < min || number > max)
        return false;
    *value = number;
    return true;
}

size_t number_format(uint64_t value, char *text)
{
    size_t length = 1;

    for (uint64_t limit = 10; length < NUMBER_DIGITS_MAX && value >= limit; limit *= 10)
        length++;
    for (size_t at = length; at > 0; value /= 10)
        text[--at] = (char)('0' + value % 10);
    return length;
}
