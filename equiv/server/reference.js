"use strict";
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { method, path } = form.dataset, shown = form.querySelector("output"), body = form.querySelector("textarea");
    const headers = body ? { "Content-Type": "application/json" } : {};
    const token = document.getElementById("token").value;
    if (token) headers.Authorization = `Bearer ${token}`;
    shown.textContent = "…";
    try {
      const answer = await fetch(path, { method, headers, body: body ? body.value : undefined });
      const text = await answer.text();
      let told = text;
      try { told = JSON.stringify(JSON.parse(text), null, 2); } catch { /* no JSON: shown as it is */ }
      shown.textContent = `${answer.status} ${answer.statusText}\n${told}`;
    } catch (error) {
      shown.textContent = `No answer: ${error.message}. Is the service still running?`;
    }
  });
}
