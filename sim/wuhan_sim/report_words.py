"""Words of pictures and reports, in English and Chinese. Win types and options are `wuhan_core.words`'s."""

from __future__ import annotations

import re

from wuhan_core.words import LANGS, WORDS, Lang, word

from .show import EXPLANATION, LOOKED

_ZERO = re.compile(r"^-0(?=(\.0*)?( %)?$)")

# fmt: off
_WORDS: dict[str, tuple[str, str]] = {
    # errors in pictures
    "errors.bars": ("(error bars: 95 % intervals)", "（误差线：95%区间）"),
    "errors.bands": ("(bands: 95 % intervals)", "（色带：95%区间）"),
    "errors.cells": ("(in brackets: 95 % intervals)", "（括号内：95%区间）"),
    # things and units
    "unit.points per hand": ("points per hand", "分/局"),
    "unit.points per win": ("points per win", "分/胡"),
    "unit.points per deal-in": ("points per deal-in", "分/次放炮"),
    "unit.points per loss": ("points per loss", "分/次输局"),
    "unit.draws per hand": ("draws per hand", "张/局"),
    "unit.draws per win": ("draws per win", "张/胡"),
    "unit.draws per ready hand": ("draws per ready hand", "张"),
    "unit.melds per hand": ("melds per hand", "副/局"),
    "unit.kongs per hand": ("kongs per hand", "个/局"),
    "unit.hands per dealer": ("hands per dealer", "局/任"),
    "unit.points": ("points", "分"),
    "hands": ("hands", "局"), "dealers": ("dealers", "庄家"), "wins": ("wins", "胡牌"),
    "points owed": ("points owed", "应付分"),
    "share.hands": ("share of hands, %", "占全部牌局，%"),
    "share.wins": ("share of wins, %", "占全部胡牌，%"),
    "share.any": ("share, %", "占比，%"), "difference": ("{name}, less the base's", "{name}与现行之差"),
    "share.own.type": ("share of the wins of a type, %", "占该牌型的胡牌，%"),
    "share.own": ("share of the bot's hands, %", "占该策略的牌局，%"),
    "points.hand": ("points per hand", "每局得分（分）"),
    "points.three": ("points that the losers of a win owe together", "一次胡牌各家应付分之和（分）"),
    "rounds": ("times round the table (draws / players)", "巡数（摸牌数÷人数）"),
    "hands.played": ("hands played", "已打局数"),
    # how hands end
    "name.exhausted": ("exhausted", "荒庄"), "name.self_draw": ("won by self-draw", "自摸"),
    "name.discard": ("won on a discard", "接炮"), "name.rob_kong": ("won by robbing a kong", "抢杠胡"),
    "name.big": ("big win", "大胡"), "name.hard": ("hard win", "硬胡"), "name.soft": ("soft win", "软胡"),
    # columns
    "name.turns": ("draws", "摸牌数"), "name.wins": ("wins", "胡牌"),
    "name.points": ("points", "得分"), "name.self_draws": ("self-draws", "自摸"),
    "name.deal_ins": ("deal-ins", "放炮"), "name.liable": ("liable", "承包"),
    "name.losses": ("losses", "输局"), "name.win_size": ("size of a win", "每胡得分"),
    "name.deal_in_size": ("size of a deal-in", "每次放炮"), "name.loss_size": ("size of a loss", "每次输局"),
    "name.big_wins": ("big wins", "大胡占比"), "name.capped_wins": ("capped wins", "封顶占比"),
    "name.opened": ("opened", "开口"), "name.opens": ("open melds", "开口副数"),
    "name.kongs": ("kongs", "杠"), "name.ready": ("ready", "听牌"),
    "name.ready_turn": ("first ready", "首次听牌"),
    "name.capped_share": ("capped", "封顶"), "name.golden_share": ("golden", "金顶"),
    "name.liable_share": ("liable", "承包"), "name.points_owed": ("owed before caps", "封顶前应付"),
    "name.points_paid": ("paid after caps", "封顶后实付"), "name.points_cut": ("cut by caps", "封顶削去"),
    "name.cut_share": ("cut by caps, of what is owed", "封顶削去比例"),
    "name.swing": ("points changing hands", "每局输赢分"),
    "name.largest_share_owed": ("largest share owed", "单家最大应付"),
    "name.largest_gain": ("largest gain", "单局最大得分"), "name.capped": ("capped", "封顶"),
    "name.golden": ("golden", "金顶"), "name.kept": ("dealer keeps the deal", "连庄"),
    "name.run": ("hands that a dealer deals", "每任庄家局数"), "name.big_share": ("big wins", "大胡占比"),
    "name.exhausted_share": ("exhausted", "荒庄率"), "name.dealer_edge": ("edge of the dealer", "庄家优势"),
    "name.owed": ("owe so much or more", "应付不少于"),
    "q": ("{percent} % quantile", "{percent}%分位"),
    "dealer": ("dealer", "庄家"), "place": ("dealer+{n}", "庄家下{n}家"),
    # pictures
    "title.frequencies": ("How hands end", "牌局结果"), "title.types": ("What wins are made of", "胡牌牌型"),
    "title.points": ("What a win is worth", "胡牌分数分布"),
    "title.bots": ("Points of the bots", "各策略得分"),
    "title.seats": ("Points by seat", "各座位得分"), "title.caps": ("Capped wins by type", "各牌型封顶比例"),
    "title.cap_curve": ("What another cap would do", "改变封顶后的变化"),
    "title.ready": ("First ready", "首次听牌"), "title.won": ("Won", "胡牌"),
    "title.dealt_in": ("Dealt in", "放炮"),
    "title.fan": ("Bankrolls of {bot}", "{bot}的资金"), "title.ruin": ("Ruined", "破产"),
    "title.sweep": ("{metric} under other rules", "改变规则后的{metric}"),
    "owed": ("owed before caps", "封顶前应付"), "paid": ("paid after caps", "封顶后实付"),
    "edge.cap": ("cap", "封顶"), "edge.golden": ("golden", "金顶"),
    "cap": ("cap of a share, points", "单家封顶（分）"), "cap.now": ("as played", "现行"),
    # duels and tournaments
    "by.source": ("where the difference comes from", "差距从何而来"), "by.kongs": ("by kongs", "按杠"),
    "by.dealer": ("by dealer", "按庄家"), "part.difference": ("difference", "总差"),
    "part.discard_wins": ("won on discards", "接炮胡牌"),
    "part.self_draw_wins": ("won by self-draw", "自摸胡牌"),
    "part.robbing_wins": ("won by robbing a kong", "抢杠胡"),
    "part.deal_ins": ("paid as discarder", "放炮赔付"),
    "part.beside_deal_ins": ("paid beside the discarder", "他家放炮时赔付"),
    "part.others_self_draws": ("paid on self-draws", "他家自摸时赔付"),
    "part.robbed": ("paid for a robbed kong", "被抢杠赔付"),
    "part.liability": ("paid for others when liable", "承包代付"),
    "part.relieved": ("relieved by a liable seat", "由承包者代付"),
    "part.kong_payments": ("kongs paid", "杠分"),
    "part.winner_with_kongs": ("the winner holds a kong", "胡家有杠"),
    "part.winner_without_kongs": ("the winner holds none", "胡家无杠"),
    "part.deals": ("{bot} deals", "{bot}坐庄"),
    "title.duel": ("{rules}, {hands} hands on {walls} walls", "{rules}，{hands}局，{walls}副牌墙"),
    "duel.points": ("{a} less {b}, points per hand", "{a}减{b}，分/局"),
    "errors.lines": ("(lines: 95 % intervals)", "（线：95%区间）"),
    "title.matrix": ("{rules}: points per hand, {hands} hands for each pair\n"
                     "in brackets simultaneous 95 % intervals, * p < 0.05 (Holm)",
                     "{rules}：分/局，每对{hands}局\n括号内为95%联合区间，* p < 0.05（Holm）"),
    "matrix.row": ("a seat with this bot ...", "一个座位用此策略……"),
    "matrix.column": ("... less a seat with this bot", "……减一个座位用此策略"),
    # the report
    "report": ("Report", "报告"), "rules": ("rules", "规则"), "bots": ("bots", "策略"),
    "played": ("hands", "局数"), "walls": ("walls", "牌墙"), "seed": ("seed", "种子"),
    "deal": ("deal", "发牌方式"), "draws": ("draws", "摸牌方式"), "task": ("task", "任务编号"),
    "rules.id": ("rules id", "规则编号"), "versions": ("versions", "版本"), "until": ("until", "停止条件"),
    "met": ("{until}, met", "{until}，已达到"), "missed": ("{until}, not met", "{until}，未达到"),
    "unfinished": (", not finished: {all} hands in all", "，未完成，共{all}局"),
    "ranges": ("hands {first} to {last}", "第{first}至{last}局"),
    "answers": ("In short", "摘要"), "pictures": ("Pictures", "图"), "tables": ("Tables", "表"),
    "hands.extreme": ("The most extreme hands", "最极端的牌局"),
    "sort": ("Click on a heading to sort; again to turn the order.", "点击表头排序，再点反向。"),
    "explained": (
        EXPLANATION,
        "括号内为95%区间：100个这样的区间约有95个包含真值；发同一牌墙的各局只算一次抽样。"),
    "explained.looked": (
        LOOKED,
        "括号内为95%置信序列：100次运行中约有95次，一个估计的区间在所有查看时刻都包含真值，"
        "与何时停止无关；发同一牌墙的各局只算一次抽样。"),
    "sample": (
        "The pictures and tables marked * and the extreme hands are of the run's first {n} hands (of {all}), "
        "played again.",
        "带*的图表和最极端的牌局，取自本次运行的前{n}局（共{all}局），由程序重打得出。"),
    "untold": ("Played again the hands could not be: {why}", "无法重打：{why}"),
    "replay": ("Replay", "回放"), "command": ("The same on the command line:", "命令行："),
    "none": ("None seen.", "未出现。"),
    "say.ends": ("Of {hands} hands, {won} were won and {exhausted} exhausted; a hand takes {turns} draws.",
                 "共{hands}局，胡牌{won}，荒庄{exhausted}；每局摸牌{turns}张。"),
    "say.how": ("Of the wins, {self_draw} were self-drawn, {discard} on a discard; {hard} were hard.",
                "胡牌中自摸{self_draw}，接炮{discard}；硬胡{hard}。"),
    "say.drawn": ("Of the wins, {self_draw} were self-drawn; {hard} were hard.",
                  "胡牌中自摸{self_draw}；硬胡{hard}。"),
    "say.big": ("Big wins: {big} of the wins.", "大胡占胡牌的{big}。"),
    "say.caps": ("Capped: {capped} of the wins, golden {golden}; the caps cut {cut} of what is owed.",
                 "封顶占胡牌的{capped}，金顶{golden}；封顶削去应付分的{cut}。"),
    "say.worth": ("A win brings {paid} points; {swing} points change hands per hand.",
                  "每胡实付{paid}分；每局输赢{swing}分。"),
    "say.bot": ("{bot} makes {points} points per hand and wins {wins} of its hands.",
                "{bot}每局得{points}分，胡牌率{wins}。"),
    "say.alone": ("{bot} sits on every seat: it wins {wins} of its hands.",
                  "各座位都是{bot}：每座位胡牌率{wins}。"),
    "say.dealer": ("The dealer makes {points} points per hand.", "庄家每局得{points}分。"),
    "hand": ("hand {n}", "第{n}局"),
    "extreme.gain": ("largest gain of a seat: {n} points", "单家最大赢分：{n}分"),
    "extreme.loss": ("largest loss of a seat: {n} points", "单家最大输分：{n}分"),
    "extreme.owed": ("most owed before caps: {n} points", "封顶前应付最多：{n}分"),
    "extreme.golden": ("golden win with the most owed: {n} points", "应付最多的金顶：{n}分"),
    "extreme.types": ("most win types together: {n}", "牌型最多：{n}种"),
    "extreme.longest": ("longest won hand: {n} draws", "最久才胡的牌局：摸牌{n}张"),
    "extreme.quickest": ("quickest win: {n} draws", "最快的胡牌：摸牌{n}张"),
    "extreme.liable": ("most paid by a liable seat: {n} points", "承包赔付最多：{n}分"),
    "section.frequencies": ("How hands end", "牌局结果"),
    "section.types": ("By win type (types overlap)", "按牌型（可重叠）"),
    "section.combinations": ("By all types of a win together", "按牌型组合"),
    "section.caps": ("What the caps do", "封顶的作用"),
    "section.points": ("Points of a win: quantiles", "胡牌分数分位"),
    "section.tail": ("Points of a win: the tail, before caps", "胡牌分数的尾部（封顶前）"),
    "section.strategies": ("Bots", "各策略"), "section.seats": ("Seats", "各座位"),
    "section.dealer": ("The dealer", "庄家"), "section.dealing": ("When the bot deals", "策略坐庄时"),
    "section.length": ("When hands end, by times round the table", "牌局在第几巡结束"),
    "section.source": ("By where the last tile came from", "按胡牌来源"),
    "section.hard": ("Hard and soft wins", "硬胡与软胡"),
    "section.laizi": ("By laizi dealt to the winner", "按胡家起手赖子数"),
    "section.opens": ("By the winner's open melds", "按胡家开口数"),
    "section.kongs": ("By the winner's kongs", "按胡家杠数"),
    "section.dealt": ("By laizi dealt to a seat", "按起手赖子数"),
    "of.hands": ("of hands", "占牌局"), "of.wins": ("of wins", "占胡牌"), "of": ("of", "范围"),
    "laizi.dealt": ("dealt {n}", "起手{n}张"), "laizi.wins": ("wins with {n}", "{n}张时胡牌"),
    "laizi.points": ("points with {n}", "{n}张时得分"),
    "row": ("what", "项目"), "value": ("value", "数值"),
    "at.least": ("{n} points or more", "不少于{n}分"), "count": ("n", "样本数"),
    "share of wins": ("share of wins", "占胡牌"), "share of points": ("share of points", "占总分"),
    "median": ("median", "中位数"), "points.bankroll": ("points", "分"),
    "share.seats": ("share of seats, %", "占座位，%"),
}
# fmt: on


def say(key: str, lang: Lang, **values: object) -> str:
    """Say something in a language; values are for the gaps."""
    return _WORDS[key][LANGS.index(lang)].format(**values)


def name_of(name: str, lang: Lang) -> str:
    """What a row or column of a table is called."""
    if f"name.{name}" in _WORDS:
        return say(f"name.{name}", lang)
    if name == "dealer" or name.startswith("dealer+"):
        return say("place", lang, n=name[7:]) if "+" in name else say("dealer", lang)
    parts = name.split("+")
    if all(f"type.{part}" in WORDS for part in parts):
        # in a row of several the short names do
        names = [word(f"type.{part}", lang) for part in parts]
        return " + ".join(each.partition(" (")[0] for each in names) if len(parts) > 1 else names[0]
    if name[:1] == "q" and name[1:].replace(".", "").isdigit():
        return say("q", lang, percent=name[1:])
    return say(name, lang) if name in _WORDS else name.replace("_", " ")


def short(name: str, lang: Lang) -> str:
    """The same without what is in brackets."""
    return name_of(name, lang).partition(" (")[0]


def metric_of(metric: str, lang: Lang) -> str:
    """What a metric is called: a name of `metrics`, or ``name[of]``."""
    name, bracket, of = metric.partition("[")
    inner = f" [{name_of(of[:-1], lang)}]" if bracket else ""
    return f"{name_of(name, lang)}{inner}"


def unit_of(unit: str, lang: Lang) -> str:
    """What an estimate is counted in; nothing for shares."""
    if unit.startswith("share"):
        return ""
    return say(f"unit.{unit}", lang) if f"unit.{unit}" in _WORDS else unit


def unsigned(text: str) -> str:
    """A number as text, where it is zero without a sign."""
    return _ZERO.sub("0", text)
