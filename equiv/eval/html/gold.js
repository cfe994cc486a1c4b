"use strict";

const entries = [...document.querySelectorAll("#list > details")];
const texts = entries.map((entry) => entry.textContent.toLowerCase());
const words = document.getElementById("words");
const database = document.getElementById("database");
const kind = document.getElementById("kind");
const count = document.getElementById("count");

function filter() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  entries.forEach((entry, place) => {
    const fits = (!database.value || entry.dataset.database === database.value)
      && (!kind.value || entry.dataset.kinds.split(" ").includes(kind.value))
      && wanted.every((word) => texts[place].includes(word));
    entry.hidden = !fits;
    shown += fits;
  });
  count.textContent = `${shown} of ${entries.length}`;
}

for (const control of [words, database, kind]) control.addEventListener("input", filter);
document.getElementById("filters").hidden = false;
count.hidden = false;
filter();
