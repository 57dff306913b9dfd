"use strict";
// Shows the frames of the data block one by one. All text comes in as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const last = data.frames.length - 1;
  const pause = 800; // milliseconds
  let now = 0;
  let timer = 0;

  const add = (parent, name, classes, text) => {
    const element = parent.appendChild(document.createElement(name));
    if (classes) element.className = classes;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const addTile = (parent, kind, classes) => {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const special = kind === data.laizi ? " wild" : data.idle.includes(kind) ? " idle" : "";
    svg.setAttribute("class", "tile" + special + (classes ? " " + classes : ""));
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", data.names[kind]);
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", "#k" + kind);
    svg.append(use);
    parent.append(svg);
  };

  // A frame has only the seats that have changed.
  const holding = (frame, seat) => {
    while (!(seat in data.frames[frame].seats)) frame -= 1;
    return data.frames[frame].seats[seat];
  };

  const showHand = (parent, held) => {
    const row = add(parent, "div", "tiles held");
    const hand = held.hand.slice();
    if (held.drawn !== null) hand.splice(hand.indexOf(held.drawn), 1);
    for (const kind of hand) addTile(row, kind);
    if (held.drawn !== null) addTile(row, held.drawn, "drawn lit");
    for (const meld of held.melds) {
      const group = add(row, "span", "meld");
      for (const kind of meld.tiles) addTile(group, kind);
      if (meld.label) add(group, "small", "", meld.label);
    }
  };

  const showNeed = (parent, need) => {
    const row = add(parent, "div", "need small");
    add(row, "b", "", need.label);
    for (const [kind, live, count] of need.tiles) {
      const item = add(row, "span", live ? "" : "none");
      addTile(item, kind);
      add(item, "i", "", count);
    }
    if (need.note) add(row, "em", "", need.note);
  };

  const showSeat = (frame, seat) => {
    const box = at("seats").children[seat];
    const held = holding(now, seat);
    box.replaceChildren();
    box.classList.toggle("acts", frame.seat === seat);
    const head = add(box, "h2", "", data.seats[seat]);
    if (seat === data.dealer) add(head, "span", "dealer", data.words.dealer);
    if (now === last) add(head, "span", "points", data.points[seat]);
    showHand(box, held);
    const river = add(box, "div", "tiles small river");
    river.setAttribute("aria-label", data.words.river);
    held.river.forEach((kind, i) => addTile(river, kind, frame.open === seat && i === held.river.length - 1 ? "lit" : ""));
    if (frame.needs) showNeed(box, frame.needs[seat]);
  };

  const show = (frame) => {
    now = Math.max(0, Math.min(last, frame));
    const shown = data.frames[now];
    at("count").textContent = now + " / " + last;
    at("said").textContent = shown.text;
    at("left").textContent = shown.left;
    at("choices").replaceChildren();
    for (const choice of shown.choices) add(at("choices"), "li", "", choice);
    for (let seat = 0; seat < data.seats.length; seat += 1) showSeat(shown, seat);
    at("slider").value = now;
    at("slider").setAttribute("aria-valuetext", shown.text);
    at("score").hidden = now !== last;
    const list = at("events");
    list.querySelector(".here")?.classList.remove("here");
    const item = list.children[now];
    item.classList.add("here");
    if (item.offsetTop < list.scrollTop || item.offsetTop + 40 > list.scrollTop + list.clientHeight) {
      list.scrollTop = item.offsetTop - list.clientHeight / 2;
    }
    for (const id of ["first", "back"]) at(id).disabled = now === 0;
    for (const id of ["step", "last"]) at(id).disabled = now === last;
    at("choice-back").disabled = choice(-1) === now;
    at("choice-on").disabled = choice(1) === now;
    if (now === last) stop();
  };

  const choice = (way) => {
    for (let i = now + way; i >= 0 && i <= last; i += way) if (data.frames[i].choices.length) return i;
    return now;
  };

  const name = (id, word) => {
    const [short, long] = data.words[word];
    at(id).title = long;
    at(id).setAttribute("aria-label", long);
    at(id).lastElementChild.textContent = short;
  };
  const label = () => {
    name("play", timer ? "pause" : "play");
    at("play").classList.toggle("playing", timer !== 0);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    label();
  };
  const play = () => {
    if (timer) return stop();
    show(now === last ? 0 : now + 1);
    if (now < last) timer = setInterval(() => { show(now + 1); reveal(); }, pause);
    label();
  };
  const go = (frame) => {
    stop();
    show(frame);
    reveal();
    try { history.replaceState(null, "", "#" + now); } catch { /* inside a notebook */ }
  };

  // On a phone the acting seat may lie behind the controls or above the window.
  const reveal = () => {
    const box = document.querySelector(".acts")?.getBoundingClientRect();
    if (!box) return;
    const top = at("now").getBoundingClientRect().bottom;
    const bottom = at("controls").getBoundingClientRect().top;
    if (box.bottom > bottom) scrollBy(0, box.bottom - bottom + 6);
    else if (box.top < top) scrollBy(0, box.top - top - 6);
  };

  const acts = {
    "first": () => go(0),
    "choice-back": () => go(choice(-1)),
    "back": () => go(now - 1),
    "play": play,
    "step": () => go(now + 1),
    "choice-on": () => go(choice(1)),
    "last": () => go(last),
  };
  const keys = {
    "Home": "first", "ArrowUp": "choice-back", "ArrowLeft": "back", " ": "play",
    "ArrowRight": "step", "ArrowDown": "choice-on", "End": "last",
  };

  for (const [text, kind] of data.facts) {
    const fact = add(at("facts"), "span", kind === null ? "" : "small", text);
    if (kind !== null) addTile(fact, kind);
  }
  at("seats").classList.toggle("four", data.seats.length === 4);
  for (const seat of data.seats) add(at("seats"), "article", "seat").setAttribute("aria-label", seat);
  data.frames.forEach((frame, i) => {
    add(at("events"), "li", frame.choices.length ? "special" : "", frame.text).addEventListener("click", () => go(i));
  });
  for (const [id, act] of Object.entries(acts)) {
    at(id).addEventListener("click", act);
    name(id, id);
  }
  at("slider").max = last;
  at("slider").setAttribute("aria-label", data.words.slider);
  at("slider").addEventListener("input", () => go(Number(at("slider").value)));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return; // the button's own
    event.preventDefault();
    acts[keys[event.key]]();
  });
  const asked = () => Math.trunc(Number(location.hash.slice(1))) || 0; // the step behind the #
  addEventListener("hashchange", () => show(asked()));
  label();
  show(asked());
})();
