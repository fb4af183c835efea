"use strict";
// Moves about in a drawn workflow. What is told of it stands in the page as JSON and is only ever set as text.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const stage = document.getElementById("stage");
  const svg = stage.querySelector("svg");
  const scene = document.getElementById("scene");
  const panel = document.getElementById("panel");
  const search = document.getElementById("search");
  const count = document.getElementById("count");
  const time = document.getElementById("time");
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const drawn = new Map([...svg.querySelectorAll("[data-node]")].map((one) => [one.dataset.node, one]));
  const view = { x: 0, y: 0, scale: 1 };
  let chosen = null;
  let found = [];
  let at = -1;

  // -- where one looks ----------------------------------------------------------------------------------------------

  const show = () => {
    scene.setAttribute("transform", `translate(${view.x} ${view.y}) scale(${view.scale})`);
    stage.dataset.scale = view.scale.toFixed(3);
  };

  const zoom = (factor, x = stage.clientWidth / 2, y = stage.clientHeight / 2) => {
    const scale = Math.min(4, Math.max(0.02, view.scale * factor));
    view.x = x - ((x - view.x) * scale) / view.scale;
    view.y = y - ((y - view.y) * scale) / view.scale;
    view.scale = scale;
    show();
  };

  const fit = () => {
    const scale = Math.min(stage.clientWidth / (data.width + 40), stage.clientHeight / (data.height + 40), 1.5);
    view.scale = Math.max(scale, 0.02);
    view.x = (stage.clientWidth - data.width * view.scale) / 2;
    view.y = Math.max(20 * view.scale, (stage.clientHeight - data.height * view.scale) / 2);
    show();
  };

  const middle = (id, scale = Math.max(view.scale, 0.7)) => {
    const [x, y] = nodes.get(id).at;
    view.scale = scale;
    view.x = stage.clientWidth / 2 - x * scale;
    view.y = stage.clientHeight / 2 - y * scale;
    show();
  };

  const begin = () => {
    fit();
    if (view.scale >= 0.45) return;
    const rest = data.nodes.find((node) => node.state === "failed" || node.state === "waiting");
    if (rest) return middle(rest.id, 0.8);
    const scale = Math.min(1, Math.max(0.6, stage.clientWidth / (data.width + 40)));
    middle(data.nodes[0].id, scale);
    if (data.width * scale <= stage.clientWidth) view.x = (stage.clientWidth - data.width * scale) / 2;
    view.y = 20;
    show();
  };

  // -- what is told -------------------------------------------------------------------------------------------------

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const list = (title, items) => {
    if (!items.length) return;
    panel.append(element("h3", title));
    const rows = element("ul");
    rows.append(...items);
    panel.append(rows);
  };

  const way = (link, id) => {
    const row = element("li", link.label ? `${link.label} ` : "");
    const to = element("a", nodes.get(id).title || nodes.get(id).kind);
    to.tabIndex = 0;
    to.dataset.go = id;
    row.append(to);
    if (link.taken) row.append(` ${link.taken}×`);
    return row;
  };

  const visitRow = (visit) => {
    const row = element("li");
    const words = [`#${visit.number}`, visit.index === null ? "" : `item ${visit.index}`, visit.outcome || ""];
    row.append(element("code", words.filter(Boolean).join(" ")));
    if (visit.error) row.append(element("p", visit.error, "error"));
    for (const [path, value] of visit.changes) {
      const change = element("p");
      change.append(element("code", `${path} ← ${value}`));
      row.append(change);
    }
    return row;
  };

  const tell = (node) => {
    panel.replaceChildren(element("h2", node.title || node.kind), element("p", node.words, "quiet"));
    if (node.state) panel.append(element("p", node.state, node.state === "failed" ? "error" : "quiet"));
    if (node.detail) panel.append(element("p", node.detail));
    if (node.desc) panel.append(element("p", node.desc));
    const remarks = node.remarks.map((one) => element("li", `${one.code}: ${one.message}`, one.severity));
    list("Findings", remarks);
    const out = data.links.filter((link) => link.source === node.id);
    const into = data.links.filter((link) => link.target === node.id);
    list("Leads to", out.map((link) => way(link, link.target)));
    list("Comes from", into.map((link) => way(link, link.source)));
    list("Visits", node.visits.map(visitRow));
  };

  const overview = () => {
    panel.replaceChildren(element("h2", data.name));
    if (data.run) for (const line of [data.run.title, ...data.run.lines]) panel.append(element("p", line));
    const words = (one) => `${one.code}: ${one.message}`;
    list("Findings", data.remarks.map((one) => element("li", words(one), one.severity)));
    const marked = data.nodes.filter((node) => node.remarks.length);
    list("Steps with findings", marked.map((node) => way({ label: "" }, node.id)));
    const keys = [
      ["/", "search"], ["Enter", "next match"], ["Esc", "back to all"], ["↓ ↑", "along the links"],
      ["← →", "neighbours in a row of links"], ["+ − 0", "zoom, and all of it"], ["n p", "next or last finding"],
    ];
    if (data.run) keys.push(["[ ]", "back and forth in time"]);
    const rows = keys.map(([key, does]) => {
      const row = element("li");
      row.append(element("kbd", key), ` ${does}`);
      return row;
    });
    list("Keys", rows);
  };

  const choose = (id, look = true) => {
    if (chosen) drawn.get(chosen)?.classList.remove("chosen");
    for (const line of svg.querySelectorAll(".near")) line.classList.remove("near");
    chosen = id;
    document.body.dataset.chosen = id || "";
    if (!id) return overview();
    const shape = drawn.get(id);
    shape.classList.add("chosen");
    for (const line of svg.querySelectorAll(`[data-from="${id}"], [data-to="${id}"]`)) line.classList.add("near");
    tell(nodes.get(id));
    if (look) middle(id);
    shape.focus({ preventScroll: true });
  };

  // -- finding ------------------------------------------------------------------------------------------------------

  const seek = () => {
    const words = search.value.trim().toLowerCase();
    found = words ? data.nodes.filter((node) => node.text.includes(words)).map((node) => node.id) : [];
    svg.classList.toggle("searching", Boolean(words));
    for (const [id, shape] of drawn) shape.classList.toggle("found", found.includes(id));
    count.textContent = words ? `${found.length} of ${data.nodes.length}` : "";
    at = -1;
  };

  const next = (ids, step) => {
    if (!ids.length) return;
    at = (at + step + ids.length + (at < 0 && step < 0 ? 1 : 0)) % ids.length;
    choose(ids[at]);
  };

  const marked = data.nodes.filter((node) => node.remarks.length || node.state === "failed").map((node) => node.id);

  // -- moving along -------------------------------------------------------------------------------------------------

  const follow = (forth) => {
    if (!chosen) return choose(data.nodes[0].id);
    const links = data.links.filter((link) => (forth ? link.source : link.target) === chosen);
    if (links.length) choose(forth ? links[0].target : links[0].source);
  };

  const aside = (step) => {
    if (!chosen) return;
    const into = data.links.find((link) => link.target === chosen);
    if (!into) return;
    const row = [...new Set(data.links.filter((link) => link.source === into.source).map((link) => link.target))];
    choose(row[(row.indexOf(chosen) + step + row.length) % row.length]);
  };

  // -- what a run did, one entry after the other ----------------------------------------------------------------------

  const entries = new Map();
  for (const node of data.nodes) for (const visit of node.visits) entries.set(visit.number, [node.id, visit]);

  const stand = (number) => {
    const entry = entries.get(number);
    for (const shape of svg.querySelectorAll(".now")) shape.classList.remove("now");
    document.getElementById("moment").textContent = number ? `entry ${number} of ${data.entries}` : "before the first";
    document.body.dataset.now = entry ? entry[0] : "";
    time.value = String(number);
    if (!entry) return;
    choose(entry[0]);
    drawn.get(entry[0]).classList.add("now");
  };

  const pass = (step) => data.run && stand(Math.min(data.entries, Math.max(0, Number(time.value) + step)));

  if (data.run) {
    time.max = String(data.entries);
    time.addEventListener("input", () => stand(Number(time.value)));
    document.getElementById("back").addEventListener("click", () => pass(-1));
    document.getElementById("forth").addEventListener("click", () => pass(1));
    stand(0);
  }

  // -- hands --------------------------------------------------------------------------------------------------------

  let grip = null;
  stage.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    grip = { x: event.clientX, y: event.clientY, moved: false, node: event.target.closest?.("[data-node]") };
  });
  window.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
    if (!grip.moved && Math.hypot(x, y) < 4) return;
    Object.assign(grip, { x: event.clientX, y: event.clientY, moved: true });
    view.x += x;
    view.y += y;
    stage.classList.add("dragging");
    show();
  });
  window.addEventListener("pointerup", () => {
    if (grip && !grip.moved) choose(grip.node ? grip.node.dataset.node : null, false);
    grip = null;
    stage.classList.remove("dragging");
  });
  stage.addEventListener("wheel", (event) => {
    event.preventDefault();
    const box = stage.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  panel.addEventListener("click", (event) => {
    if (event.target.dataset.go) choose(event.target.dataset.go);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.dataset.go) choose(event.target.dataset.go);
  });
  for (const [name, does] of [["closer", () => zoom(1.25)], ["farther", () => zoom(0.8)], ["fit", fit]]) {
    document.getElementById(name).addEventListener("click", does);
  }
  search.addEventListener("input", seek);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      next(found, event.shiftKey ? -1 : 1);
      search.focus();
    }
  });
  svg.addEventListener("focusin", (event) => {
    const shape = event.target.closest("[data-node]");
    if (shape && shape.dataset.node !== chosen) choose(shape.dataset.node);
  });

  const keys = {
    "/": () => search.focus(),
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: fit,
    ArrowDown: () => follow(true), ArrowUp: () => follow(false),
    ArrowRight: () => aside(1), ArrowLeft: () => aside(-1),
    n: () => next(marked, 1), p: () => next(marked, -1),
    "]": () => pass(1), "[": () => pass(-1),
  };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      search.value = "";
      search.blur();
      seek();
      choose(null);
      return;
    }
    const typing = event.target === search || event.target === time;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  window.addEventListener("resize", show);
  overview();
  begin();
  document.body.dataset.ready = "yes";
})();
