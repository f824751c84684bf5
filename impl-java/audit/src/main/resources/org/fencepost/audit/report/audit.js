// Search over all pages, a filter on the page of a system, stepping through a counterexample, and opening what a link leads to.
const words = text => text.toLowerCase().split(/\s+/).filter(Boolean);

const search = document.querySelector(".search");
search.hidden = false;
search.addEventListener("submit", event => {
  event.preventDefault();
  const first = search.querySelector(".found a");
  if (first) location.href = first.href;
});
search.addEventListener("keydown", event => {
  if (event.key === "Escape") { search.reset(); find(); }
});
const MOST = 30;
const find = () => {
  const wanted = words(search.querySelector("input").value);
  const hits = [];
  for (const [kind, name, says, href] of wanted.length ? entries : []) {
    const lower = name.toLowerCase();
    const all = (kind + " " + name + " " + says).toLowerCase();
    if (wanted.every(w => all.includes(w))) {
      const rank = wanted.some(w => lower === w) ? 0 : wanted.some(w => lower.startsWith(w)) ? 1 : wanted.some(w => lower.includes(w)) ? 2 : 3;
      hits.push({ rank, kind, name, says, href });
    }
  }
  hits.sort((a, b) => a.rank - b.rank);
  search.querySelector(".count").textContent = !wanted.length ? "" : hits.length > MOST ? `${hits.length} found, ${MOST} shown` : `${hits.length} found`;
  search.querySelector(".found").replaceChildren(...hits.slice(0, MOST).map(hit => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const says = document.createElement("small");
    link.href = hit.href;
    says.textContent = hit.kind + (hit.says ? ": " + (hit.says.length > 140 ? hit.says.slice(0, 140) + " …" : hit.says) : "");
    link.append(hit.name, says);
    item.append(link);
    return item;
  }));
};
search.addEventListener("input", find);

const filter = document.querySelector(".filter");
if (filter) {
  const rows = [...document.querySelectorAll("main tbody tr")].map(row => ({ row, text: row.textContent.toLowerCase(), open: !!row.querySelector(".failed, .unknown") }));
  const apply = () => {
    const wanted = words(filter.querySelector("#filter").value);
    const open = filter.querySelector("#open").checked;
    let shown = 0;
    for (const r of rows) {
      r.row.hidden = !wanted.every(w => r.text.includes(w)) || open && !r.open;
      shown += !r.row.hidden;
    }
    filter.querySelector(".count").textContent = wanted.length || open ? `${shown} of ${rows.length} rows` : "";
  };
  filter.addEventListener("input", apply);
  filter.addEventListener("submit", event => event.preventDefault());
  filter.hidden = false;
}

for (const stepper of document.querySelectorAll(".stepper")) {
  const rows = [...stepper.querySelectorAll("tbody tr")];
  const lanes = [...stepper.querySelectorAll("thead th")].slice(1).map(th => th.textContent);
  const now = stepper.querySelector(".now");
  const button = go => stepper.querySelector(`[data-go=${go}]`);
  let step = 0; // 0: all steps are shown, none is current
  const say = row => {
    const cells = [...row.querySelectorAll("td")];
    const changes = cells.map((td, i) => td.textContent && `${lanes[i]}: ${td.innerText.trim().replace(/\n+/g, "; ")}`).filter(Boolean);
    const stop = row.querySelector(".stop");
    return [`Step ${step} of ${rows.length}: ${row.querySelector("th span").textContent.replace(/^\d+ /, "")}`, ...changes,
      ...(stop ? [stop.textContent] : [])].join("\n");
  };
  const show = to => {
    step = Math.max(0, Math.min(rows.length, to));
    rows.forEach((row, i) => {
      row.hidden = step > 0 && i >= step;
      row.classList.toggle("current", i === step - 1);
    });
    const idle = { first: step === 1, back: step === 1, next: step === rows.length, all: step === 0 };
    for (const go in idle) button(go).setAttribute("aria-disabled", idle[go]); // keeps the focus, which "disabled" would lose
    now.textContent = step === 0 ? `All ${rows.length} steps.` : say(rows[step - 1]);
  };
  const moves = { first: () => 1, back: () => step === 0 ? rows.length : Math.max(1, step - 1), next: () => step + 1, all: () => 0 };
  stepper.addEventListener("click", event => {
    const go = event.target.closest("button")?.dataset.go;
    if (go) show(moves[go]());
  });
  stepper.addEventListener("keydown", event => {
    const go = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "all" }[event.key];
    if (go && !event.target.closest(".scroll") && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      show(moves[go]());
    }
  });
  stepper.querySelector(".controls").hidden = false;
  show(0);
}
const reveal = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let e = target; e; e = e.parentElement) {
    if (e.tagName === "DETAILS") e.open = true;
  }
  if (target) target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();
