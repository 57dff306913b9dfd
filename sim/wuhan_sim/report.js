"use strict";
// Sorts a table by the column whose heading is clicked, and opens the hand that a link names.
(() => {
  const key = (row, column) => row.cells[column].dataset.key;
  const number = (text) => (text === "" || Number.isNaN(Number(text)) ? null : Number(text));

  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    return x !== null && y !== null ? x - y : a < b ? -1 : a > b ? 1 : 0;
  };

  const sort = (heading) => {
    const table = heading.closest("table");
    const column = heading.cellIndex;
    // numbers begin with the largest, names with the first
    const first = column === 0 ? "ascending" : "descending";
    const other = column === 0 ? "descending" : "ascending";
    const order = heading.getAttribute("aria-sort") === first ? other : first;
    const sign = order === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const [x, y] = [key(a, column), key(b, column)];
      if (x === "" || y === "") return (x === "") - (y === ""); // nothing there: at the end
      return sign * compare(x, y);
    });
    table.tBodies[0].append(...rows);
    for (const each of table.tHead.rows[0].cells) each.setAttribute("aria-sort", each === heading ? order : "none");
  };

  for (const button of document.querySelectorAll("th button")) {
    button.addEventListener("click", () => sort(button.closest("th")));
  }

  const open = () => {
    const hand = location.hash && document.getElementById(location.hash.slice(1));
    if (hand instanceof HTMLDetailsElement) {
      hand.open = true;
      hand.scrollIntoView();
    }
  };
  addEventListener("hashchange", open);
  open();
})();
