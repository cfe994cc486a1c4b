"use strict";
// Everything shown is set as text: no markup is ever made of data.
(() => {
  const BATCH = 50;
  const data = JSON.parse(document.getElementById("data").textContent);
  const { pairs, pool } = data;
  const { fields, metrics, meanings } = data.names;
  const AT = new Map(fields.map((name, place) => [name, place]));
  const [PRED, GOLD, TOLD, RULES] = [0, 1, 2, 3].map((n) => fields.length + n);
  const STYLES = { equivalent: "good", not_equivalent: "bad", undecided: "open", invalid: "void" };

  const SIDES = { pred: "the prediction", gold: "the gold query", schema: "the schema", witness: "the database" };

  // --- making elements ---

  function make(name, style, ...children) {
    const element = document.createElement(name);
    if (style) element.className = style;
    element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  function fold(title, fill, style) {
    const element = make("details", style, make("summary", "", title));
    element.addEventListener("toggle", () => { if (element.open && element.children.length === 1) fill(element); });
    return element;
  }

  // --- pairs: a line [fields..., predicted, gold, told, rules] and its details, or null ---

  const field = (line, name) => pool[line[AT.get(name)]];

  function told(line) {
    const box = make("div", "metrics");
    metrics.forEach((name, place) => {
      if (line[TOLD][place] !== "-") box.append(make("span", "", `${name} `, make("b", "", line[TOLD][place])));
    });
    return box;
  }

  function summary(line) {
    const verdict = field(line, "verdict");
    const about = ["tier", "difference", "reason", "failure"].map((name) => field(line, name)).filter((text) => text !== "-");
    const question = field(line, "question");
    return make("summary", "",
      make("span", `badge ${STYLES[verdict] || "open"}`, verdict.replace("_", " ")),
      make("span", "", about.join(" · ")),
      make("span", "where", `${field(line, "system")} · ${field(line, "database")} · question ${field(line, "question id")}`),
      question ? make("span", "asked", question) : make("span", "asked sql", pool[line[PRED]]));
  }

  function pair(number) {
    const [line, detail] = pairs[number];
    const element = make("details", "pair", summary(line));
    element.addEventListener("toggle", () => {
      if (element.open && element.children.length === 1) element.append(body(line, detail));
    });
    return element;
  }

  function body(line, detail) {
    const box = make("div", "body");
    const cuts = detail && detail.diff ? detail.diff : [[], []];
    const verdict = field(line, "verdict");
    if (detail && detail.caveat) {
      const places = pool[detail.caveat.places];
      box.append(make("p", "", `Equivalent up to rounding: ${places ? `the engine rounds, which may show in ${places}` : "last digits may differ"}.`));
    }
    for (const name of ["difference", "reason"]) {
      const code = field(line, name);
      if (code !== "-") box.append(make("p", "", make("b", "", code), meanings[code] ? `: ${meanings[code]}.` : ""));
    }
    box.append(make("div", "sides",
      side("The prediction", pool[line[PRED]], cuts[0]), side("The gold query", pool[line[GOLD]], cuts[1])));
    if (detail && !detail.diff) box.append(make("p", "note", "The queries are too long for a comparison word by word."));
    box.append(told(line));
    if (!detail) {
      box.append(make("p", "none", "The rest of this pair is left out here; the results file has it."));
    } else {
      notes(box, detail, line);
      if (detail.evidence) evidence(box, detail.evidence, detail);
      if (detail.caveat && detail.caveat.evidence) {
        box.append(make("h3", "", "Where the engine's rounding shows"));
        evidence(box, detail.caveat.evidence, detail);
      }
      ends(box, detail, verdict);
    }
    box.append(make("p", "key-of", `key ${field(line, "key")}`));
    return box;
  }

  function side(title, text, cuts) {
    return make("div", "", make("h3", "", title), marked(text, cuts));
  }

  function marked(text, cuts) {
    const box = make("pre", "sql");
    const points = Array.from(text);
    let done = 0;
    for (let n = 0; n + 1 < cuts.length; n += 2) {
      box.append(points.slice(done, cuts[n]).join(""), make("mark", "", points.slice(cuts[n], cuts[n + 1]).join("")));
      done = cuts[n + 1];
    }
    box.append(points.slice(done).join(""));
    return box;
  }

  function notes(box, detail, line) {
    const say = (before, number) => { if (number !== undefined) box.append(make("p", "note", before, pool[number])); };
    say("Hint: ", detail.hint);
    say("Label: ", detail.label);
    say("", detail.why);
    if (field(line, "verdict") !== "invalid") say("Relation: ", detail.relation);
    if (detail.strongest !== undefined && detail.strongest !== detail.relation) say("They are equivalent under this too: ", detail.strongest);
    if (detail.weakest !== undefined && detail.weakest !== detail.relation) say("They differ under this too: ", detail.weakest);
    if (detail.confirmed !== undefined) say("Proved again by the algebra alone: ", detail.confirmed);
    if (detail.parts) {
      box.append(make("h3", "", "After rewriting they differ in"));
      const columns = make("div", "sides");
      columns.append(side("Prediction", pool[detail.parts[0]], []), side("Gold query", pool[detail.parts[1]], []));
      box.append(columns);
    }
    if (detail.tried !== undefined) box.append(make("p", "note", `Databases tried: ${pool[detail.tried]}.`));
    if (detail.bounded !== undefined) box.append(make("p", "note", `No database of at most ${pool[detail.bounded]} rows a table, of values that the queries suggest, tells them apart.`));
    const said = new Map();
    for (const [who, what] of detail.remarks || []) said.set(what, (said.get(what) || new Set()).add(SIDES[pool[who]] || pool[who]));
    for (const [what, sides] of said) box.append(make("p", "note", `Note on ${[...sides].join(" and ")}: ${pool[what]}`));
    for (const fault of detail.faults || []) box.append(make("p", "note", `As read: ${pool[fault]}`));
    if (detail.golds) {
      box.append(make("h3", "", "Gold queries, any of which is right"), ...detail.golds.map((n) => make("pre", "sql", pool[n])));
    }
    if (detail.conditions) {
      box.append(make("h3", "", "They would be equivalent if"),
        make("ul", "", ...detail.conditions.map(([fact, kept]) => make("li", "", make("code", "", pool[fact]), pool[kept] ? ` (${pool[kept]})` : ""))));
    }
    for (const [role, decision, reason] of detail.replies || []) {
      box.append(make("p", "", make("b", "", `The ${pool[role]} ${pool[decision]}: `), pool[reason]));
    }
  }

  // --- evidence ---

  function evidence(box, found, detail) {
    if (found.steps) {
      const parts = [["pred", "prediction"], ["gold", "gold query"]];
      const columns = make("div", "sides");
      for (const [code, title] of parts) {
        const steps = found.steps.filter((step) => pool[step[0]] === code);
        columns.append(make("div", "", make("h3", "", `${steps.length} ${steps.length === 1 ? "step" : "steps"} of the ${title}`), ...steps.map(step)));
      }
      box.append(columns);
      if (found.more) box.append(make("p", "cut", `${found.more} more steps are left out; the results file has them.`));
    }
    if (found.normal_form !== undefined) {
      box.append(make("h3", "", "Both are now"), make("pre", "sql", pool[found.normal_form]));
    } else if (found.pred_form !== undefined) {
      if (found.pred_form === found.gold_form) {
        box.append(make("h3", "", "In the algebra both mean"), make("pre", "sql", pool[found.pred_form]));
      } else {
        box.append(make("div", "sides", side("The prediction means", pool[found.pred_form], []), side("The gold query means", pool[found.gold_form], [])));
      }
    }
    if (found.matches && found.matches.length) box.append(make("h3", "", "Which are one, because"), make("pre", "", found.matches.map((n) => pool[n]).join("\n")));
    if (found.claims && found.claims.length) {
      box.append(fold(`Claims that a solver showed: ${found.claims.length}`, (own) => own.append(make("pre", "", found.claims.map((n) => pool[n]).join("\n")))));
    }
    if (found.kind === "witness" || found.kind === "execution") database(box, found);
  }

  function step([, rule, before, after, under, facts]) {
    return fold(pool[rule], (own) => {
      const [one, other] = changed(pool[before], pool[after]);
      own.append(side("before", pool[before], one), side("after", pool[after], other));
      if (facts.length) own.append(make("p", "note", `Rests on ${facts.map((n) => pool[n]).join(", ")}`));
      if (pool[under] !== "list") own.append(make("p", "note", `Keeps the result as a ${pool[under]}`));
    }, "step");
  }

  // The stretches of two texts that are not in their longest common run of words; both whole if that is dear.
  function changed(before, after) {
    const sides = [before, after].map((text) => text.match(/'(?:[^']|'')*'|\w+|\s+|[^\w\s]/gu) || []);
    const [one, other] = sides;
    if (one.length * other.length > 1e6) return [before, after].map((text) => [0, Array.from(text).length]);
    const best = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
    for (let i = one.length - 1; i >= 0; i -= 1) {
      for (let j = other.length - 1; j >= 0; j -= 1) {
        best[i][j] = one[i] === other[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
      }
    }
    const kept = [new Set(), new Set()];
    for (let i = 0, j = 0; i < one.length && j < other.length;) {
      if (one[i] === other[j]) { kept[0].add(i); kept[1].add(j); i += 1; j += 1; }
      else if (best[i + 1][j] >= best[i][j + 1]) i += 1; else j += 1;
    }
    return sides.map((words, side) => stretches(words, kept[side]));
  }

  function stretches(words, kept) {
    const cuts = [];
    let at = 0;
    words.forEach((word, place) => {
      const length = Array.from(word).length;
      if (!kept.has(place) && (word.trim() || cuts[cuts.length - 1] === at)) {
        if (cuts[cuts.length - 1] === at) cuts[cuts.length - 1] = at + length; else cuts.push(at, at + length);
      }
      at += length;
    });
    return cuts;
  }

  function database(box, found) {
    if (found.kind === "execution") {
      box.append(make("p", "", "On the database ", make("code", "", pool[found.database]), ":"));
    } else {
      const rows = found.rows !== undefined ? pool[found.rows] : "";
      const own = found.database !== undefined ? `On a few rows of the database ${pool[found.database]}` : "On this database";
      box.append(make("h3", "", rows ? own : "On the empty database"));
      if (rows) box.append(make("pre", "sql", rows));
      if (found.schema !== undefined) box.append(fold("its tables", (own) => own.append(make("pre", "sql", pool[found.schema]))));
    }
    if (found.binding !== undefined) box.append(make("p", "", "With ", make("code", "", pool[found.binding])));
    box.append(make("div", "sides", result("The prediction returns", found.pred, found.kind), result("The gold query returns", found.gold, found.kind)));
  }

  function result(title, { rows, marks, more, columns, names, error }, kind) {
    if (error !== undefined) return make("div", "", make("h3", "", `${title} an error`), make("pre", "", pool[error]));
    const total = rows.length + more;
    const atLeast = kind === "execution" && total >= 20 ? "at least " : "";
    const box = make("div", "", make("h3", "", `${title} ${atLeast}${total} ${total === 1 ? "row" : "rows"}`));
    if (!rows.length) return box;
    const body = make("tbody", "");
    rows.forEach((row, place) => {
      const differs = new Set(marks[place]);
      body.append(make("tr", "", ...row.map((cell, n) => make("td", differs.has(n) ? "differs" : "", pool[cell]))));
    });
    const head = make("thead", "", make("tr", "", ...names.map((n) => make("th", "", pool[n]))));
    box.append(make("div", "scroll", make("table", "", ...(names.length ? [head] : []), body)));
    if (more) box.append(make("p", "cut", `${more} more rows are left out here.`));
    const hidden = columns - Math.max(...rows.map((row) => row.length));
    if (hidden > 0) box.append(make("p", "cut", `${hidden} more columns are left out here.`));
    return box;
  }

  function ends(box, detail, verdict) {
    const list = (numbers) => make("ul", "", ...numbers.map((n) => make("li", "", make("code", "", pool[n]))));
    if (detail.facts) {
      const title = verdict === "not_equivalent" ? "Facts that the database keeps" : "Facts used";
      box.append(fold(`${title}: ${detail.facts.length}`, (own) => own.append(list(detail.facts))));
    }
    if (detail.dropped) box.append(fold(`Facts not used, because the data violates them: ${detail.dropped.length}`, (own) => own.append(list(detail.dropped))));
    if (detail.attempts) {
      box.append(fold("What was tried", (own) => {
        const head = make("tr", "", ...["tier", "did", "why", "ms"].map((name) => make("th", "", name)));
        const rows = detail.attempts.map((row) => make("tr", "", ...row.map((n) => make("td", "", pool[n]))));
        own.append(make("div", "scroll", make("table", "", make("tbody", "", head, ...rows))));
      }));
    }
  }

  // --- filters ---

  const wanted = new Map();
  const SAYS = { "right by": "1", "wrong by": "0" };
  const SELECTS = ["system", "database", "difficulty", "verdict", "tier", "reason", "difference", "failure", "score_by", "score", "rule", ...Object.keys(SAYS)];
  const FILTERS = new Set([...SELECTS, "question id"]);
  const selects = new Map();
  const search = make("input", "");
  const texts = new Map();
  let shown = 0;
  let matching = [];

  function valuesOf(name) {
    if (name in SAYS) return metrics;
    const found = new Set();
    for (const [line] of pairs) {
      if (name === "rule") line[RULES].forEach((n) => found.add(n)); else found.add(line[AT.get(name)]);
    }
    return Array.from(found, (n) => pool[n]).sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
  }

  function matches(line, number) {
    for (const [name, value] of wanted) {
      if (name in SAYS) {
        if (line[TOLD][metrics.indexOf(value)] !== SAYS[name]) return false;
      } else if (name === "rule") {
        if (!line[RULES].some((n) => pool[n] === value)) return false;
      } else if (field(line, name) !== value) return false;
    }
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return !words.length || words.every((word) => text(line, number).includes(word));
  }

  function text(line, number) {
    if (!texts.has(number)) {
      const names = ["key", "system", "database", "question id", "question"];
      texts.set(number, [...names.map((name) => field(line, name)), pool[line[PRED]], pool[line[GOLD]]].join("\n").toLowerCase());
    }
    return texts.get(number);
  }

  const list = document.getElementById("list");
  const count = make("span", "");
  const chips = make("span", "");
  const more = make("button", "", "Show more");

  function apply() {
    matching = [];
    pairs.forEach(([line], number) => { if (matches(line, number)) matching.push(number); });
    list.replaceChildren();
    shown = 0;
    chips.replaceChildren(...Array.from(wanted, ([name, value]) => {
      const chip = make("button", "chip", `${name}: ${value} ×`);
      chip.addEventListener("click", () => set(name, ""));
      return chip;
    }));
    extend();
  }

  function extend() {
    const next = matching.slice(shown, shown + BATCH);
    list.append(...next.map(pair));
    shown += next.length;
    count.textContent = `${matching.length.toLocaleString("en")} of ${pairs.length.toLocaleString("en")} pairs`;
    more.hidden = shown >= matching.length;
  }

  function set(name, value) {
    if (value) wanted.set(name, value); else wanted.delete(name);
    if (selects.has(name)) selects.get(name).value = value;
    apply();
  }

  function controls() {
    const filters = make("div", "filters");
    for (const name of SELECTS) {
      const values = valuesOf(name);
      if (values.length < 2) continue;
      const select = make("select", "");
      select.append(...["", ...values].map((value) => {
        const option = make("option", "", value || "any");
        option.value = value;
        return option;
      }));
      select.addEventListener("change", () => set(name, select.value));
      selects.set(name, select);
      filters.append(make("label", "", name, select));
    }
    search.type = "search";
    search.placeholder = "Search queries, questions, names and keys";
    search.setAttribute("aria-label", "Search pairs");
    let waiting = 0;
    search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 150); });
    const box = make("details", "", make("summary", "", "Filters"), filters);
    document.getElementById("search").append(search, box, make("div", "found", count, chips));
    if (window.matchMedia("(min-width: 48rem)").matches) box.open = true;
    more.addEventListener("click", extend);
    list.after(more);
  }

  // Rows of tables whose columns are called like filters lead to their pairs.
  function link(table) {
    const names = Array.from(table.querySelectorAll("thead th"), (cell) => cell.textContent);
    const places = names.map((name, place) => [name, place]).filter(([name]) => FILTERS.has(name));
    if (!places.length) return;
    const known = new Map(places.map(([name]) => [name, new Set(valuesOf(name))]));
    for (const row of table.tBodies[0].rows) {
      const filter = places.map(([name, place]) => [name, row.cells[place].textContent]);
      if (!filter.every(([name, value]) => known.get(name).has(value))) continue;
      const cell = row.cells[places[0][1]];
      const button = make("button", "go", cell.textContent);
      button.addEventListener("click", () => {
        wanted.clear();
        search.value = "";
        selects.forEach((select) => { select.value = ""; });
        filter.forEach(([name, value]) => {
          wanted.set(name, value);
          if (selects.has(name)) selects.get(name).value = value;
        });
        apply();
        document.getElementById("pairs").scrollIntoView();
      });
      cell.replaceChildren(button);
    }
  }

  // --- tables: a click on a heading sorts by its column ---

  const FEWEST_ROWS = 3;

  function sortable(table) {
    const body = table.tBodies[0];
    if (!body || body.rows.length < FEWEST_ROWS) return;
    const original = Array.from(body.rows);
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, place) => {
      if (!head.textContent) return;
      const button = make("button", "sort", head.textContent);
      button.title = "Sort by this column";
      button.addEventListener("click", () => {
        const next = { none: "descending", descending: "ascending", ascending: "none" }[head.getAttribute("aria-sort") || "none"];
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (next !== "none") head.setAttribute("aria-sort", next);
        body.append(...(next === "none" ? original : sorted(original, place, next === "ascending" ? 1 : -1)));
      });
      head.replaceChildren(button);
    });
  }

  // Numbers by their value, whatever follows them; cells without one come last.
  function sorted(rows, place, direction) {
    const keyed = rows.map((row) => {
      const text = row.cells[place] ? row.cells[place].textContent.trim() : "";
      const number = text.match(/^(?:p [=<] )?([+-]?\d[\d,]*(?:\.\d+)?)/);
      return { row, text, number: number ? Number(number[1].replaceAll(",", "")) : null };
    });
    const numeric = keyed.every(({ text, number }) => number !== null || text === "" || text === "-");
    const empty = ({ text }) => text === "" || text === "-";
    keyed.sort((one, other) => {
      if (empty(one) || empty(other)) return empty(one) - empty(other);
      const order = numeric ? one.number - other.number : one.text.localeCompare(other.text, "en", { numeric: true });
      return direction * order;
    });
    return keyed.map(({ row }) => row);
  }

  // #pair=KEY opens the pair whose key begins so.
  function follow() {
    const key = decodeURIComponent(location.hash.replace(/^#pair=/, ""));
    if (!location.hash.startsWith("#pair=") || !key) return;
    const number = pairs.findIndex(([line]) => field(line, "key").startsWith(key));
    if (number < 0) return;
    const element = pair(number);
    list.prepend(element);
    element.open = true;
    element.scrollIntoView();
  }

  controls();
  document.querySelectorAll("main table").forEach(link);
  document.querySelectorAll("main section:not(#pairs) table").forEach(sortable);
  document.querySelectorAll(".case").forEach((place) => place.replaceWith(pair(Number(place.dataset.pair))));
  apply();
  follow();
  window.addEventListener("hashchange", follow);
})();
