"""Words for people, in English and Chinese: win types, shapes, factors, refusals, liability.

Terms as in RULES.md. Whoever prints asks `word`; whoever needs the code of a thing uses its name in answers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from .errors import show
from .options import OPTIONS, Choice, Flag, Half, Kind, Value, Whole
from .options import Words as WordList
from .words_options import DOCS_ZH

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = ("en", "zh")

# fmt: off
_TABLE: dict[str, tuple[str, str]] = {
    # win types, patterns and the factors that patterns name
    "type.pihu": ("pihu (small win)", "屁胡"),
    "type.pengpenghu": ("pengpenghu (all triplets)", "碰碰胡"),
    "type.qingyise": ("qingyise (one suit)", "清一色"),
    "type.fengyise": ("fengyise (all honours)", "风一色"),
    "type.jiangyise": ("jiangyise (all 258)", "将一色"),
    "type.quanqiuren": ("quanqiuren (four exposed melds)", "全求人"),
    "type.gangshanghua": ("gangshanghua (win on a replacement)", "杠上花"),
    "type.haidilao": ("haidilao (win in the last round)", "海底捞"),
    "type.qianggang": ("qianggang (robbed kong)", "抢杠"),
    "type.pinghu": ("pinghu (sets and a pair)", "平胡"),
    "type.qidui": ("qidui (seven pairs)", "七对"),
    "type.haohuaqidui": ("haohuaqidui (seven pairs, four alike)", "豪华七对"),
    "type.shisanlang": ("shisanlang (thirteen lan)", "十三浪"),
    "type.qixingshisanlang": ("qixingshisanlang (thirteen lan, all honours)", "七星十三浪"),
    "type.jiuyao": ("jiuyao (1s, 9s and honours)", "九幺"),
    "type.qixingjiuyao": ("qixingjiuyao (1s, 9s and all honours)", "七星九幺"),
    "type.wubao": ("wubao (hard)", "无宝"),
    "type.gangkai": ("gangkai (win on a replacement)", "杠开"),
    "type.jiebao": ("jiebao (win on a discarded bao)", "接宝"),
    "type.baodiaotou": ("baodiaotou (a bao to spare)", "宝吊头"),
    "type.baodiaowubao": ("baodiaowubao (a bao to spare, hard)", "宝吊无宝"),
    "type.baodiaobao": ("baodiaobao (a bao to spare, bao drawn)", "宝吊宝"),
    "type.dandiao": ("dandiao (one concealed tile)", "单吊"),
    "type.sigebao": ("sigebao (four bao)", "四个宝"),
    "type.tianhu": ("tianhu (first draw)", "天胡"),
    "type.dihu": ("dihu (first discard)", "地胡"),
    # shapes
    "shape.standard": ("sets and a pair", "四副一将"),
    "shape.all_258": ("all 258, no sets needed", "将一色不成副"),
    "shape.all_winds": ("all honours, no sets needed", "风一色不成副"),
    "shape.seven_pairs": ("seven pairs", "七对"),
    "shape.thirteen_lan": ("thirteen lan", "十三浪"),
    "shape.nine_yao": ("nine yao", "九幺"),
    # melds, kongs, ways to win
    "meld.chow": ("chow", "吃"),
    "meld.pung": ("pung", "碰"),
    "meld.direct_kong": ("direct kong", "明杠"),
    "meld.added_kong": ("added kong", "蓄杠"),
    "meld.concealed_kong": ("concealed kong", "暗杠"),
    "source.self_draw": ("by self-draw", "自摸"),
    "source.discard": ("on a discard of seat {seat}", "接座位{seat}的炮"),
    "source.rob_kong": ("by robbing a kong of seat {seat}", "抢座位{seat}的杠"),
    "after_kong": (" on a replacement tile", "（杠后补牌）"),
    "last_draw": (" in the last round", "（最后一轮）"),
    # factors, by the option that sets them
    "score.small_base": ("base of a small win", "屁胡底分"),
    "score.big_base": ("base of a big win", "大胡底分"),
    "score.big_stacking": ("several big types", "多种大胡"),
    "score.fengyise": ("fengyise", "风一色"),
    "score.stake": ("stake", "倍率"),
    "score.open": ("open meld", "开口"),
    "score.kong_exposed": ("direct or added kong", "明杠（冲杠、蓄杠）"),
    "score.kong_concealed": ("concealed kong", "暗杠"),
    "score.kong_red": ("red kong", "红中杠"),
    "score.kong_wild": ("wild kong", "赖子杠"),
    "score.kong_skin": ("skin kong", "癞子皮杠"),
    "score.wild_discard": ("wildcard discarded", "打出赖子"),
    "score.hard": ("hard win", "硬胡"),
    "score.small_self_draw": ("self-draw", "自摸"),
    "score.small_discarder": ("discarder", "放炮"),
    "score.small_dealer": ("dealer", "庄家"),
    "score.big_self_draw": ("self-draw", "自摸"),
    "score.big_discarder": ("discarder", "放炮"),
    "points.base": ("base", "底分"),
    "points.multiple": ("multiple", "倍数"),
    "points.kong_direct": ("direct kong", "明杠"),
    "points.kong_added": ("added kong", "蓄杠"),
    "points.kong_concealed": ("concealed kong", "暗杠"),
    "codes.hit_points": ("code hit", "中码"),
    "codes.all_in": ("rank of the code", "一码全中"),
    "factor.feibao": ("bao discarded", "飞宝"),
    "factor.touji": ("win passed", "偷机"),
    "factor.self_draw": ("self-draw", "自摸"),
    "factor.discarder": ("discarder or robbed konger", "放炮或被抢杠"),
    # caps
    "cap.per_payer": ("cap of a share", "单家封顶"),
    "cap.golden": ("golden: all three owe the cap or more", "金顶（三家都到封顶）"),
    "cap.liable": ("cap of a share where one seat pays all", "承包封顶"),
    "least.tianhu": ("least share of tianhu", "天胡保底"),
    "least.dihu": ("least share of dihu", "地胡保底"),
    # liability; the clauses of RULES.md section 6, and of 7 and 8
    "liable.rob_kong.konger_hand": (
        "its kong was robbed: it pays what it would have collected, had it stood and the replacement won",
        "被抢杠：按本家杠上花应得的分赔付"),
    "liable.rob_kong.robber_hand": (
        "its kong was robbed: it pays all shares of the robber's hand", "被抢杠：包赔抢杠者的全部分数"),
    "liable.rob_kong": ("its kong was robbed", "被抢杠"),
    "liable.quanqiuren.head_258": (
        "it discarded {tile}, a 258, to quanqiuren", "打出将牌{tile}，放全求人"),
    "liable.quanqiuren.not_ready": (
        "it discarded {tile} to quanqiuren and was not ready", "打出{tile}放全求人，且自己未听牌"),
    "liable.third_meld": (
        "it fed the third exposed meld ({meld}) of {types}", "{types}的第三副开口（{meld}）由其供牌"),
    # refusals: what was found, and what would have been enough
    "why.no_discard_win": ("no win on a discard", "不能点炮胡"),
    "got.no_discard_win": ("won on a discard", "胡的是别家打出的牌"),
    "enough.no_discard_win": ("a self-draw, or robbing an added kong", "自摸或抢杠"),
    "why.tile_not_claimable": ("the tile cannot be claimed", "此牌不能接胡"),
    "got.tile_not_claimable": ("{tile} is {role}", "{tile}是{role}"),
    "enough.tile_not_claimable": ("any other tile that completes the hand", "换一张能胡的牌"),
    "why.holds_kong_tile": ("a tile that must be konged is in the hand", "手中有必须杠出的牌"),
    "got.holds_kong_tile": ("holds {tiles}", "手中有{tiles}"),
    "enough.holds_kong_tile": ("none of them in the hand: each konged before", "先把它们全部杠出"),
    "why.not_open": ("not open", "没有开口"),
    "got.not_open": ("no open meld", "没有一副开口"),
    "enough.not_open": ("one open meld: {kinds}", "开口一副：{kinds}"),
    "why.no_shape": ("no winning shape", "牌型不成"),
    "got.no_shape": ("{shapes}", "{shapes}"),
    "enough.no_shape": ("any one of these shapes complete", "以上任一牌型凑齐"),
    "short.standard": ("sets and a pair: tiles short {n}", "四副一将：还差{n}张"),
    "short.all_258": ("all 258: {tiles} are none", "将一色：{tiles}不是将牌"),
    "short.all_winds": ("all honours: {tiles} are none", "风一色：{tiles}不是风牌"),
    "short.seven_pairs": ("seven pairs: tiles short {n}", "七对：还差{n}张"),
    "short.seven_pairs.melds": ("seven pairs: there are melds", "七对：已有吃碰杠"),
    "short.thirteen_lan": (
        "thirteen lan: {tiles} are alike or less than 3 apart", "十三浪：{tiles}重复或相距不足三"),
    "short.thirteen_lan.melds": ("thirteen lan: there are melds", "十三浪：已有吃碰杠"),
    "short.thirteen_lan.wild": (
        "thirteen lan: no tiles are left for the wildcards to stand for", "十三浪：宝牌无牌可替"),
    "short.nine_yao": ("nine yao: {tiles} are no 1, 9 or honour", "九幺：{tiles}不是幺九或字牌"),
    "short.nine_yao.melds": ("nine yao: there are melds", "九幺：已有吃碰杠"),
    "why.head_not_258": ("the pair is not 258", "将牌不是258"),
    "got.head_not_258": ("pair was {pairs}", "将牌为{pairs}"),
    "enough.head_not_258": (
        "a pair of 258 tiles (a wildcard beside a 258 tile or beside a wildcard does), or one of {types}",
        "258作将（258配赖子或两张赖子亦可），或成{types}之一"),
    "enough.head_not_258.none": (
        "a pair of 258 tiles (a wildcard beside a 258 tile or beside a wildcard does)",
        "258作将（258配赖子或两张赖子亦可）"),
    "why.too_many_wild": ("too many wildcards for a small win", "屁胡赖子过多"),
    "got.too_many_wild": ("wildcards held: {n}", "手中有赖子{n}张"),
    "enough.too_many_wild": ("at most {allowed}, or a big type", "至多{allowed}张，或成大胡"),
    "why.below_minimum": ("below the minimum", "未达起胡分"),
    "got.below_minimum": ("shares of the best reading: {shares}", "最佳牌型各家应付：{shares}"),
    "enough.below_minimum.any_payer": (
        "{points} points from at least one payer; best share {best}", "至少一家付{points}分；现最高{best}分"),
    "enough.below_minimum.each_payer": (
        "{points} points from each payer; lowest share {best}", "每家都付{points}分；现最低{best}分"),
    "why.bao_not_claimable": ("a discarded bao cannot be claimed", "不能接宝"),
    "got.bao_not_claimable": ("bao held in this hand: {n}", "本局拿过{n}张宝"),
    "enough.bao_not_claimable": ("three bao held (jiebao)", "拿过三张宝方可接宝"),
    "why.wild_on_discard": ("a bao stands for another tile on a discard", "用宝不能点炮胡"),
    "got.wild_on_discard": (
        "won on a discard, and no reading has every bao as itself", "胡别家打出的牌，而宝必须当别的牌用"),
    "enough.wild_on_discard": ("a self-draw, or robbing an added kong", "自摸或抢杠"),
    "role.wild": ("a wildcard", "赖子"),
    "role.red": ("a red dragon", "红中"),
    "role.skin": ("a skin in the role of a red dragon", "癞子皮（作红中）"),
    # the page
    "wins": ("{rules}: seat {seat} wins {how} with {tile}", "{rules}：座位{seat}{how}胡{tile}"),
    "refused": (
        "{rules}: seat {seat} may not win {how} with {tile}", "{rules}：座位{seat}{how}胡{tile}，不成立"),
    "game": ("dealer seat {dealer}, wildcard {laizi}", "庄家座位{dealer}，赖子{laizi}"),
    "indicator": (", indicator {tile}", "，翻牌{tile}"),
    "codes": (", codes {tiles}", "，码{tiles}"),
    "types": ("types: {types}", "牌型：{types}"),
    "sep": (", ", "、"),
    "any": ("any", "任意"),
    "pair": ("{natural}{laizi}", "{natural}{laizi}"),
    "pair.wild": ("{natural} with wildcard {laizi}", "{natural}配赖子{laizi}"),
    "reading.hard": ("reading: hard, every tile as itself", "读法：硬胡，每张牌当本牌"),
    "reading.soft": ("reading: soft, every wildcard free", "读法：软胡，赖子可替任意牌"),
    "reading.konger": (
        "what seat {seat} would have collected, had its kong stood and {tile} been the replacement:",
        "座位{seat}若杠成并补得{tile}，应得："),
    "reading.konger.none": (
        "what seat {seat} would have collected, had its kong stood (no replacement completes its hand, which "
        "counts as gangshanghua all the same):",
        "座位{seat}若杠成，应得（补任何牌都不胡，仍按杠上花计）："),
    "concealed": ("concealed: {groups} ({shape})", "手牌：{groups}（{shape}）"),
    "melds": ("melds: {melds}", "副露：{melds}"),
    "meld": ("{kind} {tiles}", "{kind}{tiles}"),
    "meld.from": (" (from seat {seat})", "（座位{seat}打出）"),
    "stands": ("wildcards {laizi} stand for: {tiles}", "赖子{laizi}当作：{tiles}"),
    "carried.base": ("base:", "底分："),
    "carried.winner": ("carried by the winner, seat {seat}:", "胡家座位{seat}："),
    "carried.konger": ("carried by the konger, seat {seat}:", "被抢杠者座位{seat}："),
    "loser": ("seat {seat}", "座位{seat}"),
    "owes": ("seat {seat} owes {product} = {owed}", "座位{seat}应付 {product} = {owed}"),
    "limited": ("; {limit} ({option}): {capped}", "；{limit}（{option}）：{capped}"),
    "paid by": ("; seat {seat} pays it", "；由座位{seat}付"),
    "liable": ("seat {seat} pays everything ({clause}): {why}", "座位{seat}承包（{clause}）：{why}"),
    "clause": ("RULES.md {section}", "规则{section}"),
    "kong": (
        "seat {seat}, {kind}: {points} points each from {payers} ({option})",
        "座位{seat}{kind}：{payers}各付{points}（{option}）"),
    "gains": ("points: {gains}", "得分：{gains}"),
    "gain": ("seat {seat} {points:+}", "座位{seat} {points:+}"),
    "why": ("refused: {rule}, {why} ({clause}{option})", "不能胡：{rule}，{why}（{clause}{option}）"),
    "by": (", {option} = {setting}", "，{option} = {setting}"),
    "got": ("found: {got}", "实际：{got}"),
    "enough": ("enough would have been: {enough}", "须满足：{enough}"),
    "without": ("with no minimum it would have been:", "若不论起胡分："),
    # rule sets
    "name": ("name", "名称"),
    "title.zh": ("Chinese title", "中文标题"),
    "title.en": ("title", "英文标题"),
    "aliases": ("aliases", "别名"),
    "option": ("option", "选项"),
    "value": ("value", "数值"),
    "allowed": ("allowed", "可取值"),
    "source": ("source", "来源"),
    "meaning": ("meaning", "含义"),
    "no differences": ("no differences", "没有差别"),
}
# fmt: on

WORDS: Mapping[str, tuple[str, str]] = MappingProxyType(_TABLE)


def check_lang(lang: str) -> None:
    """Raise ValueError for a language that there is not."""
    if lang not in LANGS:
        raise ValueError(f"lang = {show(lang)}, must be {' or '.join(LANGS)}")


def word(key: str, lang: Lang = "en", **values: object) -> str:
    """Say something in a language.

    Parameters
    ----------
    key : str
        What: a key of `WORDS`.
    lang : {"en", "zh"}
    **values
        For the gaps in the text.

    Returns
    -------
    str
    """
    return WORDS[key][LANGS.index(lang)].format(**values)


def option_doc(name: str, lang: Lang = "en") -> str:
    """Say what an option means, in one line."""
    return OPTIONS[name].doc if lang == "en" else DOCS_ZH[name]


def allowed(kind: Kind, lang: Lang = "en") -> str:
    """Say what an option allows."""
    if lang == "en":
        return str(kind)
    if isinstance(kind, Whole):
        return f"{kind.low}到{kind.high}的整数"
    if isinstance(kind, Half):
        return f"{kind.low}到{kind.high}，步长0.5"
    if isinstance(kind, Flag):
        return "true 或 false"
    if isinstance(kind, Choice):
        return " 或 ".join(map(str, kind.choices))
    assert isinstance(kind, WordList)
    return f"列表，不重复：{', '.join(kind.choices)}{'；或 all' if kind.all_word else ''}"


def written(value: Value) -> str:
    """Write an option's value as `parse_override` reads it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ",".join(value) or "[]"
    return str(value)


def columns(rows: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """Lay out rows of cells as lines of a terminal, where a Chinese character is two places wide."""
    widths = [max(map(_places, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = (cell + " " * (width - _places(cell)) for cell, width in zip(row, widths, strict=True))
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines


def _places(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in text)
