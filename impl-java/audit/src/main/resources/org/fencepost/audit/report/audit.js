// Stepping through counterexamples, and opening what a link leads to.
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
