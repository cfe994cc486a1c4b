"use strict";
const find = (name) => document.getElementById(name);
const WORDS = JSON.parse(find("words").textContent);
const MAX_ROWS = 50, MAX_STEPS = 200, MAX_WORDS = 1500;
const VERDICTS = {
  equivalent: "Equivalent", not_equivalent: "Not equivalent", undecided: "Undecided", invalid: "Invalid",
};

/* An element with children; texts become text, whatever they hold. */
function make(tag, options, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(options || {})) {
    if (value) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((one) => one !== null && one !== undefined).map(
    (one) => (one instanceof Node ? one : shown(one))));
  return made;
}

/* A text with what would be invisible, or turn the line around, written out. */
function shown(value) {
  return String(value).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (one) =>
    one === "\n" || one === "\t" ? one : `\\u{${one.codePointAt(0).toString(16)}}`);
}

/* Numbers stay as they are written: 1.0 is not shown as 1, and long integers keep their digits. */
function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === "number" && context && context.source !== String(value) ? { number: context.source } : value);
}

/* A sentence with its full stop, unless it ends in a mark of its own. */
const sentence = (text) => (/[.?!]$/.test(text) ? text : `${text}.`);

const plain = (value) => (value && typeof value === "object" && "number" in value ? value.number : value);

function cellText(cell) {
  if (cell === null) return "NULL";
  if (typeof cell === "string") return `'${cell.replaceAll("'", "''")}'`;
  if (typeof cell !== "object") return String(cell);
  if ("blob" in cell) return `x'${cell.blob}'`;
  if ("real" in cell) return String(cell.real).startsWith("-") ? "-9e999" : "9e999";
  return String(plain(cell));
}

/* Equal for equal cells: 1 is 1.0, and is not '1'. */
function cellKey(cell) {
  if (cell && typeof cell === "object" && "number" in cell) {
    const value = Number(cell.number);
    return Number.isSafeInteger(value) || !/^-?\d+$/.test(cell.number) ? JSON.stringify(value) : cell.number;
  }
  return JSON.stringify(cell);
}

/* The rows of one result that the other lacks, by position. */
function leftOver(one, other) {
  const counts = new Map();
  for (const row of other) counts.set(row.join("\u0000"), (counts.get(row.join("\u0000")) || 0) + 1);
  return one.flatMap((row, place) => {
    const key = row.join("\u0000"), left = counts.get(key) || 0;
    if (left) counts.set(key, left - 1);
    return left ? [] : [place];
  });
}

/* For both results the cells that tell them apart, as "row,column". */
function differing(one, other, ordered) {
  const sides = [one, other].map((rows) => rows.map((row) => row.map(cellKey)));
  let rest = [leftOver(sides[0], sides[1]), leftOver(sides[1], sides[0])];
  if (!rest[0].length && !rest[1].length && ordered) rest = sides.map((rows) => rows.map((_, n) => n));
  const marks = [new Set(), new Set()];
  for (const side of [0, 1]) {
    rest[side].forEach((place, n) => {
      const row = sides[side][place], twin = sides[1 - side][rest[1 - side][n]];
      row.forEach((cell, column) => {
        if (!twin || twin.length !== row.length || twin[column] !== cell) marks[side].add(`${place},${column}`);
      });
    });
  }
  return marks;
}

function resultTable(title, rows, names, marks, more) {
  const count = `${rows.length}${more ? " or more" : ""} ${rows.length === 1 && !more ? "row" : "rows"}`;
  if (!rows.length) return make("div", null, make("h4", null, `${title}: no row`));
  const head = rows[0].map((_, n) => make("th", null, (names && names[n]) || `column ${n + 1}`));
  const body = rows.slice(0, MAX_ROWS).map((row, place) => make("tr", null, row.map((cell, column) =>
    make("td", { class: [marks.has(`${place},${column}`) && "differs", cell === null && "null"]
      .filter(Boolean).join(" ") }, cellText(cell)))));
  const cut = rows.length > MAX_ROWS ? make("p", { class: "note" }, `the first ${MAX_ROWS} are shown`) : null;
  return make("div", null, make("h4", null, `${title}: ${count}`),
    make("div", { class: "scroll" }, make("table", null, make("thead", null, make("tr", null, head)),
      make("tbody", null, body))), cut);
}

function bothResults(evidence, relation) {
  const pred = evidence.pred_rows, gold = evidence.gold_rows;
  const isCut = evidence.kind === "execution" && Math.max(pred.length, gold.length) >= WORDS.execution_rows;
  const marks = isCut ? [new Set(), new Set()] : differing(pred, gold, relation.startsWith("list"));
  return make("div", { class: "sides" },
    resultTable("The prediction returns", pred, evidence.pred_columns, marks[0], isCut && pred.length >= WORDS.execution_rows),
    resultTable("The gold query returns", gold, evidence.gold_columns, marks[1], isCut && gold.length >= WORDS.execution_rows));
}

/* The statements of a script, strings and quoted names taken whole. */
function statements(script) {
  const found = script.match(/(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|[^;])+;?/g) || [];
  return found.map((one) => one.trim()).filter(Boolean);
}

/* The scripts of a witness, each with its engine: one, or across dialects two. */
function scriptsOf(sql) {
  const first = /^-- ([^\n]*), (\d+) characters:\n/.exec(sql);
  if (!first) return [["", sql]];
  const letters = Array.from(sql.slice(first[0].length)), rest = letters.splice(Number(first[2])).join("");
  const second = /^-- ([^\n]*):\n/.exec(rest);
  return second ? [[first[1], letters.join("")], [second[1], rest.slice(second[0].length)]] : [["", sql]];
}

function database(evidence, relation) {
  const parts = [];
  if (evidence.sql) {
    for (const [engine, script] of scriptsOf(evidence.sql)) {
      const all = statements(script), rows = all.filter((one) => /^INSERT/i.test(one));
      const rest = all.filter((one) => !/^INSERT/i.test(one)), where = engine ? ` of ${engine}` : "";
      parts.push(make("h3", null, rows.length ? `On this database${where}` : `On the empty database${where}`));
      if (rows.length) parts.push(make("pre", null, rows.join("\n")));
      parts.push(folded("its tables", make("pre", null, rest.join("\n"))));
    }
  } else {
    parts.push(make("h3", null, `On the database ${evidence.database}`));
  }
  if (evidence.binding && Object.keys(evidence.binding.values).length) {
    const values = Object.entries(evidence.binding.values).map(([name, cell]) => `${name} = ${cellText(cell)}`);
    parts.push(make("p", null, `with ${values.join(", ")}`));
  }
  return [...parts, bothResults(evidence, relation)];
}

function folded(title, ...content) {
  return make("details", null, make("summary", null, title), content);
}

/* What changes from one text to another, word by word: the longest common part is kept. */
function difference(before, after) {
  const split = (text) => text.match(/'(?:[^']|'')*'|\w+|\s+|[^\w\s]/g) || [];
  const one = split(before), other = split(after);
  if (one.length > MAX_WORDS || other.length > MAX_WORDS) return [make("del", null, before), "\n", make("ins", null, after)];
  const width = other.length + 1, lengths = new Uint16Array((one.length + 1) * width);
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i * width + j] = one[i] === other[j] ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const found = [];
  const add = (tag, word) => {
    const last = found[found.length - 1];
    if (last && last.tag === tag) last.text += word; else found.push({ tag, text: word });
  };
  let i = 0, j = 0;
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) { add("", one[i++]); j++; }
    else if (j >= other.length || (i < one.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) add("del", one[i++]);
    else add("ins", other[j++]);
  }
  return found.map((part) => (part.tag ? make(part.tag, null, part.text) : part.text));
}

function factText(fact) {
  const places = (table, columns) => (columns || []).map((column) => (table ? `${table}.${column}` : column)).join(", ");
  const columns = places(fact.table, fact.columns), parent = places(fact.parent || fact.table, fact.parent_columns);
  let inside = [columns || fact.table, parent].filter(Boolean).join(" -> ");
  if (fact.kind === "setting") inside = `${columns} = ${cellText(fact.expression || "")}`;
  else if (fact.expression) inside = [fact.table, fact.expression].filter(Boolean).join(": ");
  return `${fact.kind}${inside ? `(${inside})` : ""} (${fact.grade})`;
}

function stepsOf(evidence) {
  return [["pred", "The prediction, step by step"], ["gold", "The gold query, step by step"]].flatMap(([side, title]) => {
    const steps = evidence.steps.filter((step) => step.side === side);
    if (!steps.length) return [];
    const items = steps.slice(0, MAX_STEPS).map((step) => make("li", null,
      make("code", null, step.rule), step.under === "list" ? null : ` (under ${step.under})`,
      step.facts.length ? ` by ${step.facts.map(factText).join(", ")}` : null,
      make("pre", null, difference(step.before, step.after))));
    const more = steps.length > MAX_STEPS ? make("p", { class: "note" }, `and ${steps.length - MAX_STEPS} more steps`) : null;
    return [make("h3", null, title), make("ol", { class: "steps" }, items), more];
  });
}

function proofOf(evidence) {
  const forms = make("div", { class: "sides" },
    make("div", null, make("h4", null, "The prediction"), make("pre", null, evidence.pred_form)),
    make("div", null, make("h4", null, "The gold query"), make("pre", null, evidence.gold_form)));
  const list = (title, items) => (items.length ? [make("h3", null, title), make("ul", null, items.map((one) => make("li", null, one)))] : []);
  return [make("h3", null, "As sums of terms in normal form"), forms,
    ...list("What was matched with what", evidence.correspondences),
    ...list("What a solver showed", evidence.obligations.map((one) => one.text))];
}

function evidenceOf(record) {
  const evidence = record.evidence;
  if (!evidence) return [];
  if (evidence.kind === "derivation") {
    return [...stepsOf(evidence), make("h3", null, "Both become"), make("pre", null, evidence.normal_form)];
  }
  if (evidence.kind === "proof") return [...stepsOf(evidence), ...proofOf(evidence)];
  return database(evidence, record.relation);
}

function why(record) {
  if (record.verdict === "not_equivalent") return `${WORDS.differences[record.difference] || record.difference}.`;
  if (record.verdict === "undecided") {
    const known = WORDS.reasons[record.reason] || "";
    return sentence(`${record.reason}: ${[known, record.detail].filter(Boolean).join(": ")}`);
  }
  if (record.verdict === "invalid") return sentence(`The prediction is no query on this schema: ${record.detail || record.failure_code}`);
  return "The same possible answers on every database that the facts allow.";
}

function caveatOf(record) {
  if (!record.caveat) return [];
  if (!record.caveat.places.length && !record.caveat.evidence) return [make("p", null, "In exact arithmetic; where the engine rounds, the last digits may differ.")];
  const places = record.caveat.places.length ? ` in ${record.caveat.places.join("; ")}` : "";
  const notice = make("p", null, `Only in exact arithmetic: the engine rounds, which ${record.caveat.evidence ? "shows" : "may show"}${places}.`);
  return [notice, ...(record.caveat.evidence ? [folded("where it shows", database(record.caveat.evidence, record.relation))] : [])];
}

/* What is to be known besides, each text once, with all that it is said of. */
function notesOf(record) {
  const sides = new Map();
  for (const one of record.remarks) {
    sides.set(one.text, (sides.get(one.text) || new Set()).add(WORDS.sides[one.side] || one.side));
  }
  return [...sides].map(([text, said]) => `${[...said].join(" and ")}: ${text}`);
}

function factsOf(record) {
  const isRefuted = record.verdict === "not_equivalent";
  const lists = [
    ["They would be equivalent if", record.equivalent_if.map((one) => one.fact + (one.satisfied === null ? ""
      : one.satisfied ? " (the given data keeps it)" : " (the given data violates it)"))],
    ["Notes", notesOf(record)],
    [isRefuted ? "What the database keeps" : "It rests on", record.facts.map(factText)],
    ["Given up, since the data breaks it", record.facts_dropped.map(factText)],
  ];
  if (record.bounded) {
    lists.unshift(["Searched", [`No database of at most ${plain(record.bounded.rows)} rows a table tells them apart.`]]);
  }
  return lists.filter(([, items]) => items.length).flatMap(([title, items]) => {
    const isProse = title === "Notes" || title === "Searched";
    const listed = make("ul", null, items.map((one) => make("li", null, isProse ? one : make("code", null, one))));
    const isLong = items.length > 12 || title === "What the database keeps";
    return isLong ? [folded(`${title} (${items.length})`, listed)] : [make("h3", null, title), listed];
  });
}

/* What a tier did with the pair, and why: NO_PROOF is said of pairs, and here is what the tier did not find. */
function attemptText(one) {
  if (one.outcome === "passed" && WORDS.further.some((said) => one.reason.includes(said))) return ["went on", one.reason];
  const reason = one.reason.replace(/^NO_PROOF/, "").trim();
  return [WORDS.outcomes[one.outcome] || one.outcome, reason || (one.reason && WORDS.not_found[one.tier])];
}

function attemptsOf(record) {
  const rows = record.attempts.map((one) => make("tr", null, [one.tier, ...attemptText(one), plain(one.ms)].map((cell) => make("td", null, cell))));
  const head = ["tier", "did", "why", "ms"].map((one) => make("th", null, one));
  return rows.length ? [folded("What was tried", make("div", { class: "scroll" },
    make("table", null, make("thead", null, make("tr", null, head)), make("tbody", null, rows))))] : [];
}

function show(record, text) {
  const dialect = [...find("dialect").options].find((option) => option.value && option.value === record.dialect);
  const by = [record.tier && `settled by ${record.tier}`, `relation ${record.relation}`, dialect && `read as ${dialect.text}`]
    .filter(Boolean).join(", ");
  find("result").replaceChildren(
    make("div", { class: `verdict ${record.verdict in VERDICTS ? record.verdict : ""}` },
      make("h2", null, (VERDICTS[record.verdict] || record.verdict) + (record.caveat ? " up to rounding" : "")), make("p", null, why(record)),
      make("p", { class: "note" }, by), caveatOf(record)),
    ...evidenceOf(record).filter(Boolean), ...factsOf(record), ...attemptsOf(record),
    folded("The record as JSON", make("pre", null, text)));
  reveal();
}

/* Scroll to the result where most of it would be below the window. */
function reveal() {
  if (find("result").getBoundingClientRect().top > innerHeight * 0.7) find("result").scrollIntoView();
}

function trouble(title, detail) {
  find("result").replaceChildren(make("div", { class: "verdict trouble" }, make("h2", null, title), make("p", null, detail)));
  reveal();
}

function asked() {
  const body = { pred: find("pred").value, gold: find("gold").value, conditions: true };
  for (const name of ["relation", "facts", "effort", "dialect"]) {
    if (find(name).value) body[name] = find(name).value;
  }
  const where = document.querySelector("input[name=where]:checked").value;
  body[where] = find(where).value;
  return body;
}

let running = null;
async function compare() {
  if (running) { running.abort(); return; }
  running = new AbortController();
  const started = Date.now(), button = find("compare");
  const tick = setInterval(() => { button.textContent = `Stop (${Math.round((Date.now() - started) / 1000)} s)`; }, 250);
  const headers = { "Content-Type": "application/json" };
  if (find("token").value) headers.Authorization = `Bearer ${find("token").value}`;
  try {
    const answer = await fetch("v1/check", { method: "POST", headers, body: JSON.stringify(asked()), signal: running.signal });
    const text = await answer.text();
    if (answer.ok) show(parse(text), text);
    else refused(answer, text);
  } catch (error) {
    if (error.name === "AbortError") find("result").replaceChildren();
    else trouble("No answer", `${error.message}. Is the service still running?`);
  } finally {
    clearInterval(tick);
    button.textContent = "Compare";
    running = null;
  }
}

/* Refusals in the page's words: what a field is called here, and what can be done. */
const TITLES = {
  400: "The request is not understood", 401: "A token is needed", 404: "No such database", 408: "Too slow", 413: "Too long",
  422: "The schema or an option cannot be used", 429: "Busy", 503: "The service is stopping",
};
const ADVICE = {
  401: "Put the operator's token into the field Token.", 413: "Shorten the queries or the schema.",
  408: "The queries took too long to arrive; try again.", 503: "It takes no more pairs; ask its operator.",
};
const FIELDS = [
  [/^pred: /, "The prediction: "], [/^gold: /, "The gold query: "], [/^(schema|ddl): /, "The schema: "],
  [/^db: /, "The database: "], [/^body: Value error, give db or schema.*/, "Give a schema, or choose a database."],
];

function refused(answer, text) {
  let detail = text;
  try { detail = JSON.parse(text).detail || text; } catch { /* no JSON: shown as it is */ }
  if (answer.status === 400) {
    detail = detail.split("; ").map((part) => FIELDS.reduce((told, [pattern, word]) => told.replace(pattern, word), part)).join("; ");
  }
  const again = answer.headers.get("Retry-After");
  const advice = answer.status === 429 ? `Too many pairs wait already; try again in ${again || 5} s.` : ADVICE[answer.status];
  trouble(TITLES[answer.status] || `Refused (${answer.status})`, advice || sentence(`${detail.charAt(0).toUpperCase()}${detail.slice(1)}`));
  if (answer.status === 401) { document.body.dataset.token = ""; find("token").focus(); }
}

const EXAMPLES = [
  ["SELECT DISTINCT o.id, o.total\nFROM orders AS o JOIN customer AS c ON o.customer_id = c.id",
    "SELECT id, total FROM orders",
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\nCREATE TABLE orders (\n  id INTEGER PRIMARY KEY,\n  customer_id INTEGER NOT NULL REFERENCES customer (id),\n  total REAL\n);"],
  ["SELECT name FROM customer\nWHERE id NOT IN (SELECT customer_id FROM orders)",
    "SELECT name FROM customer AS c\nWHERE NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.customer_id = c.id)",
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\nCREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, total REAL);"],
  ["SELECT name FROM player ORDER BY score DESC LIMIT 1",
    "SELECT name FROM player WHERE score = (SELECT MAX(score) FROM player)",
    "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, score INTEGER);"],
];

/* The names of the service's databases, as completions and as a line. */
async function listDatabases() {
  const headers = find("token").value ? { Authorization: `Bearer ${find("token").value}` } : {};
  try {
    const answer = await fetch("v1/databases", { headers });
    if (!answer.ok) return;
    const names = (await answer.json()).databases;
    find("databases").replaceChildren(...names.map((name) => make("option", { value: name })));
    const more = names.length > 20 ? `, and ${names.length - 20} more` : "";
    find("known").textContent = names.length ? `Its databases: ${names.slice(0, 20).map(shown).join(", ")}${more}` : "It has none yet.";
  } catch { /* no answer: the name can be typed all the same */ }
}

function place(where) {
  find("known").hidden = where !== "db";
  if (where === "db") listDatabases();
  for (const name of ["schema", "db"]) {
    find(name).hidden = name !== where;
    find(name).required = name === where;
  }
}

find("form").addEventListener("submit", (event) => { event.preventDefault(); compare(); });
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !running) find("form").requestSubmit();
});
for (const radio of document.querySelectorAll("input[name=where]")) {
  radio.addEventListener("change", () => place(radio.value));
}
for (const button of document.querySelectorAll("[data-example]")) {
  button.addEventListener("click", () => {
    [find("pred").value, find("gold").value, find("schema").value] = EXAMPLES[Number(button.dataset.example)];
    document.querySelector("input[value=schema]").checked = true;
    place("schema");
    if (!running) find("form").requestSubmit();
  });
}
const sayDialect = () => { find("dialects").textContent = WORDS.dialects[find("dialect").value]; };
find("dialect").addEventListener("change", sayDialect);
sayDialect();  // a browser that comes back to the page keeps what was chosen
place("schema");
