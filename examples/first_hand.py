"""What does a hand wait for, and what is best discarded?

    python examples/first_hand.py 2345m22p7899s --melds pung:777p --laizi 9s

With 13 tiles (less 3 for each meld) the hand is to draw, with 14 to discard.
"""

from __future__ import annotations

import argparse

from wuhan_core import Hand, best_discards, format_tiles, shanten, ukeire, waits


def main() -> None:
    parser = argparse.ArgumentParser(description="What does a hand wait for, and what is best discarded?")
    parser.add_argument("hand", help="concealed tiles, as 123m55p789sEE")
    parser.add_argument("--melds", default="", help="as 'chow:123p pung:777s'")
    parser.add_argument("--laizi", help="the wildcard kind, as 9s")
    parser.add_argument("--seen", help="tiles seen elsewhere, as 3p6pE")
    given = parser.parse_args()

    hand = Hand.parse(given.hand, given.melds, given.laizi)
    missing = shanten(hand)
    print(f"{hand}: {'complete' if missing < 0 else 'ready' if missing == 0 else f'{missing} from ready'}")

    if len(hand.concealed) % 3 == 1:
        if missing == 0:
            print(f"waits for {format_tiles(waits(hand))}")
        for kind, live in ukeire(hand, given.seen).items():
            print(f"  {format_tiles([kind])}: {live} left")
    else:
        for option in best_discards(hand, given.seen)[:5]:
            left = f"{option.shanten} from ready, {option.live} of {format_tiles(option.kinds)}"
            print(f"  discard {format_tiles([option.discard])}: {left}")


if __name__ == "__main__":
    main()
