"""Words of replays, in English and Chinese. Terms of points, melds and refusals are `wuhan_core.words`'s."""

from __future__ import annotations

from wuhan_core.tiles import Style
from wuhan_core.words import Lang

STYLES: dict[Lang, Style] = {"en": "ascii", "zh": "chinese"}

# fmt: off
_WORDS: dict[str, tuple[str, str]] = {
    "hand": ("{rules}, hand {hand}", "{rules}，第{hand}局"),
    "seed": (", seed {seed}", "，种子{seed}"),
    "dealer": ("dealer: seat {seat}", "庄家：座位{seat}"),
    "indicator": ("indicator {tile}", "翻牌{tile}"),
    "laizi": ("wildcard {tile}", "赖子{tile}"),
    "draws.seat": ("each seat draws from its own queue", "各座位按自己的队列摸牌"),
    "draws.wall": ("draws in the order of the wall", "按牌墙顺序摸牌"),
    "seat": ("seat {seat}", "座位{seat}"),
    "dealt": ("is dealt", "起手"),
    "deal": ("The deal", "发牌"),
    # what seats do
    "draw": ("draws {tile}", "摸{tile}"),
    "draw.tail": ("draws the replacement {tile}", "补{tile}"),
    "draw.last": ("draws {tile} in the last round", "海底摸{tile}"),
    "discard": ("discards {tile}", "打{tile}"),
    "chow": ("chows {tile} of seat {giver}: {tiles}", "吃座位{giver}的{tile}：{tiles}"),
    "pung": ("pungs {tile} of seat {giver}", "碰座位{giver}的{tile}"),
    "kong.direct": ("kongs {tile} of seat {giver}", "明杠座位{giver}的{tile}"),
    "kong.added": ("adds {tile} to its pung", "蓄杠{tile}"),
    "kong.concealed": ("kongs {tile}, concealed", "暗杠{tile}"),
    "kong.red": ("kongs the red dragon {tile}", "红中杠{tile}"),
    "kong.wild": ("kongs the wildcard {tile}", "赖子杠{tile}"),
    "kong.skin": ("kongs the skin {tile}", "癞子皮杠{tile}"),
    "win.self_draw": ("wins on its draw, {tile}", "自摸{tile}"),
    "win.discard": ("wins on {tile} of seat {giver}", "胡座位{giver}的{tile}"),
    "win.rob_kong": ("robs the kong of seat {giver}: wins on {tile}", "抢座位{giver}的杠，胡{tile}"),
    "codes": ("codes turned up: {tiles}", "揭码：{tiles}"),
    "exhausted": ("the wall is exhausted", "荒庄"),
    # what seats may do
    "pass": ("passes", "过"),
    "act.pass": ("pass", "过"),
    "act.win": ("win", "胡"),
    "act.discard": ("discard {tile}", "打{tile}"),
    "act.chow": ("chow {tile}", "吃{tile}"),
    "act.pung": ("pung {tile}", "碰{tile}"),
    "act.kong": ("kong {tile}", "杠{tile}"),
    "act.added_kong": ("add {tile} to its pung", "蓄杠{tile}"),
    "act.concealed_kong": ("kong {tile}, concealed", "暗杠{tile}"),
    "act.single_kong": ("kong {tile} by itself", "单杠{tile}"),
    "choice": ("seat {seat} may {actions} → {chosen}", "座位{seat}可{actions} → {chosen}"),
    "or": (" or ", "、"),
    # what a seat needs
    "complete": ("complete", "已成形"),
    "ready": ("ready", "听牌"),
    "away": ("{n} away", "{n}向听"),
    "need.useful": ("needs", "进张"),
    "need.waits": ("waits for", "听"),
    "need.wins": ("wins by self-draw on", "自摸可胡"),
    "need.discards": ("best discard → live tiles", "最佳打牌→进张数"),
    "but": ("but {why}", "但{why}"),
    "many": ("{kinds} kinds, {tiles} tiles", "{kinds}种{tiles}张"),
    # the end
    "score": ("The score", "算分"),
    "nobody": ("Nobody has won.", "无人胡牌。"),
    "gains": ("points: {gains}", "得分：{gains}"),
    "gain": ("seat {seat} {points:+}", "座位{seat} {points:+}"),
    "unfinished": ("The hand stops here.", "本局到此为止。"),
    # the page
    "left": ("{n} left", "余{n}张"),
    "river": ("discards", "牌河"),
    "dealer.badge": ("dealer", "庄"),
    "kong.single": ("kong", "杠"),
    "kong.hidden": ("concealed", "暗杠"),
    "first": ("To the deal", "回到发牌"),
    "first.short": ("deal", "发牌"),
    "choice-back": ("Back to the last choice", "上一个选择"),
    "choice-back.short": ("choice", "选择"),
    "back": ("One step back", "退一步"),
    "back.short": ("back", "后退"),
    "play": ("Play", "播放"),
    "play.short": ("play", "播放"),
    "pause": ("Pause", "暂停"),
    "pause.short": ("pause", "暂停"),
    "step": ("One step on", "进一步"),
    "step.short": ("step", "前进"),
    "choice-on": ("On to the next choice", "下一个选择"),
    "choice-on.short": ("choice", "选择"),
    "last": ("To the end", "到终局"),
    "last.short": ("end", "终局"),
    "slider": ("Moment of the hand", "进度"),
    "events": ("What happened", "过程"),
    "keys": ("Keys: space plays, ← → step, ↑ ↓ jump from choice to choice, Home and End.",
             "按键：空格播放，←→ 单步，↑↓ 跳到上下一个选择，Home、End 首尾。"),
}
# fmt: on


def say(key: str, lang: Lang, **values: object) -> str:
    """The words of a key, its gaps filled."""
    return _WORDS[key][lang == "zh"].format(**values)
