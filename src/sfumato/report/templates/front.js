"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const panels = all(".choice"), rows = all("#points tr[data-spot]"), tip = document.querySelector(".tip");
  const first = panels.findIndex((panel) => !panel.hidden);
  let current = first;

  // The pictures carry where their points lie; the mark is moved there.
  const pictures = all(".picture svg").map((svg) => ({
    svg,
    chosen: svg.querySelector(".chosen"),
    spots: all("[data-spot]", svg).map((g) => ({ x: +g.dataset.x, y: +g.dataset.y, title: g.querySelector("title") })),
  }));
  for (const { spots } of pictures) for (const spot of spots) { spot.words = spot.title.textContent; spot.title.remove(); }

  const choose = (i) => {
    current = Math.max(0, Math.min(panels.length - 1, i));
    panels.forEach((panel, p) => { panel.hidden = p !== current; });
    rows.forEach((row, r) => row.classList.toggle("current", r === current));
    for (const { svg, chosen, spots } of pictures) {
      const { x, y } = spots[current], label = chosen.querySelector("text"), ring = chosen.querySelector("circle");
      const guide = chosen.querySelector("path"), [left, right, , bottom] = guide.dataset.frame.split(" ").map(Number);
      guide.setAttribute("d", `M${left} ${y}H${x}V${bottom}`);
      ring.setAttribute("cx", x);
      ring.setAttribute("cy", y);
      label.textContent = rows[current].querySelector("th").textContent;
      const leftwards = x + 20 + 8 * label.textContent.length > right;
      label.setAttribute("text-anchor", leftwards ? "end" : "start");
      label.setAttribute("x", leftwards ? x - 11 : x + 11);
      label.setAttribute("y", y + 16);
      svg.setAttribute("aria-valuenow", current + 1);
    }
  };

  const nearest = ({ svg, spots }, event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const far = spots.map(({ x, y }) => Math.hypot(x - at.x, (y - at.y) / 2));
    return far.indexOf(Math.min(...far));
  };
  const tell = (picture, i, event) => {
    const box = tip.parentElement.getBoundingClientRect();
    tip.textContent = picture.spots[i].words;
    tip.hidden = false;
    const x = event.clientX - box.left, room = box.width - tip.offsetWidth;
    tip.style.left = `${Math.max(0, Math.min(x + 14, room))}px`;
    tip.style.top = `${event.clientY - box.top - tip.offsetHeight - 14}px`;
  };
  for (const picture of pictures) {
    picture.svg.setAttribute("tabindex", "0");
    picture.svg.addEventListener("pointermove", (event) => tell(picture, nearest(picture, event), event));
    picture.svg.addEventListener("pointerleave", () => { tip.hidden = true; });
    picture.svg.addEventListener("click", (event) => choose(nearest(picture, event)));
  }
  rows.forEach((row, r) => row.addEventListener("click", () => { choose(r); scrollTo({ top: 0, behavior: "smooth" }); }));
  for (const button of all("[data-step]"))
    button.addEventListener("click", () => choose(+button.dataset.step ? current + +button.dataset.step : first));
  for (const button of all("[data-choose]")) button.addEventListener("click", () => choose(+button.dataset.choose));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight") choose(current + 1);
    else if (event.key === "ArrowLeft") choose(current - 1);
    else return;
    event.preventDefault();
  });
})();
