"""Glicko-2 for one match at a time, after Mark Glickman's paper; as protocol.md uses it.

Written apart from the server's, so that a test that compares both finds mistakes of either.
"""
import math

SCALE, TAU, PRECISION = 173.7178, 0.5, 1e-6
START = (1500.0, 350.0, 0.06)


def clamp(value, low, high):
    return min(max(value, low), high)


def update(player, opponent, score):
    """Returns (rating, deviation, volatility) after one result; score is 1, 0.5 or 0."""
    mu, phi, sigma = (player[0] - 1500) / SCALE, player[1] / SCALE, player[2]
    other_mu, other_phi = (opponent[0] - 1500) / SCALE, opponent[1] / SCALE
    g = 1 / math.sqrt(1 + 3 * other_phi ** 2 / math.pi ** 2)
    expected = 1 / (1 + math.exp(-g * (mu - other_mu)))
    variance = 1 / (g ** 2 * max(expected * (1 - expected), 0.02 * 0.98))
    delta = variance * g * (score - expected)
    volatility = clamp(find_volatility(delta, phi, variance, sigma), 0.001, 0.5)
    new_phi = 1 / math.sqrt(1 / (phi ** 2 + volatility ** 2 * 4 / variance) + 1 / variance)
    new_mu = mu + new_phi ** 2 * g * (score - expected)
    return (clamp(new_mu * SCALE + 1500, 100, 4000), clamp(new_phi * SCALE, 1, 350), volatility)


def find_volatility(delta, phi, variance, sigma):
    start = math.log(sigma ** 2)

    def miss(x):
        spread = phi ** 2 + variance + math.exp(x)
        return math.exp(x) * (delta ** 2 - spread) / (2 * spread ** 2) - (x - start) / TAU ** 2

    low = start
    if delta ** 2 > phi ** 2 + variance:
        high = math.log(delta ** 2 - phi ** 2 - variance)
    else:
        high = next(start - k * TAU for k in range(1, 100) if miss(start - k * TAU) >= 0)
    at_low, at_high = miss(low), miss(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = miss(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
