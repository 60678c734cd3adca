// The table sorts by its headers and is filtered; without this it is there,
// in the order of the ranks.
"use strict";
(function () {
	const table = document.getElementById("table");
	const body = table.tBodies[0];
	const heads = Array.from(table.tHead.rows[0].cells);
	const filter = document.querySelector(".filter");
	const input = filter.querySelector("input");
	const status = filter.querySelector("[role=status]");

	// Numbers by the number, the rest as text; what is empty comes last.
	function key(row, column) {
		const cell = row.cells[column];
		const number = cell.dataset.key;

		if (number !== undefined)
			return Number(number);
		return cell.textContent.toLowerCase();
	}

	function compare(a, b, sign) {
		if (a === b)
			return 0;
		if (a === "" || b === "")
			return a === "" ? 1 : -1;
		if (typeof a !== typeof b)
			return typeof a === "number" ? -1 : 1;
		return (a < b ? -1 : 1) * sign;
	}

	function sort(column) {
		const head = heads[column];
		const up = head.getAttribute("aria-sort") !== "ascending";
		const rows = Array.from(body.rows);

		for (const other of heads)
			other.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", up ? "ascending" : "descending");
		rows.sort((a, b) => compare(key(a, column), key(b, column),
		    up ? 1 : -1));
		body.append(...rows);
	}

	// Rows that have all of the words.
	function show() {
		const words = input.value.toLowerCase().split(/\s+/);
		let shown = 0;

		for (const row of body.rows) {
			const text = row.textContent.toLowerCase();

			row.hidden = !words.every((word) => text.includes(word));
			shown += !row.hidden;
		}
		status.textContent = shown + " of " + body.rows.length;
	}

	// Where a chart leads to is seen, whatever the filter says.
	function reveal() {
		const row = document.getElementById(location.hash.slice(1));

		if (row && row.hidden) {
			input.value = "";
			show();
			row.scrollIntoView();
		}
	}

	heads.forEach((head, column) => {
		const button = document.createElement("button");

		button.type = "button";
		button.append(...head.childNodes);
		button.addEventListener("click", () => sort(column));
		head.append(button);
	});
	if (heads[0].textContent === "rank")
		heads[0].setAttribute("aria-sort", "ascending");
	input.addEventListener("input", show);
	window.addEventListener("hashchange", reveal);
	filter.hidden = false;
	show();
})();
