(() => {
  for (const hint of document.querySelectorAll("[data-hint]")) {
    const region = hint.closest("section, figure").querySelector(".scroll");
    if (!region) continue;
    // Sticky headings stay below the sticky bar, which may overlap the top of a scrolling region.
    const place = () => {
      const bottom = document.querySelector(".trust")?.getBoundingClientRect().bottom ?? 0;
      const above = hint.hidden ? 0 : region.getBoundingClientRect().top;
      region.style.setProperty("--trust", `${Math.max(0, bottom - above)}px`);
    };
    addEventListener("scroll", place, { passive: true });
    new ResizeObserver(() => {
      hint.hidden = region.scrollWidth <= region.clientWidth + 1;
      // Without inner scrolling, only the page scrolls.
      region.classList.toggle("fits", hint.hidden);
      place();
    }).observe(region);
  }
  for (const picked of document.querySelectorAll("[data-picked]")) {
    picked.closest("figure").addEventListener("click", ({ target }) => {
      const title = target.closest("g")?.querySelector(":scope > title");
      if (title) picked.textContent = title.textContent;
    });
  }
  const enhance = (table) => {
    const section = table.closest("section");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const input = section.querySelector("[data-filter]");
    const status = section.querySelector("[data-status]");
    const text = rows.map((row) => row.textContent.toLowerCase());
    const collator = new Intl.Collator(undefined, { numeric: true });
    const keys = (column) => {
      const isNumber = heads[column].classList.contains("number");
      return rows.map((row) => {
        const { textContent, dataset } = row.cells[column];
        if (!isNumber) return textContent;
        return dataset.value === undefined ? null : Number(dataset.value);
      });
    };
    const order = rows.map((_row, index) => index);
    const sort = (column, isDown) => {
      const key = keys(column);
      const isEmpty = (value) => value === null || value === "";
      const compare = heads[column].classList.contains("number")
        ? (a, b) => a - b
        : (a, b) => collator.compare(a, b);
      order.sort((a, b) => {
        if (isEmpty(key[a]) || isEmpty(key[b])) return isEmpty(key[a]) - isEmpty(key[b]) || a - b;
        return (isDown ? -compare(key[a], key[b]) : compare(key[a], key[b])) || a - b;
      });
      body.append(...order.map((index) => rows[index]));
      heads.forEach((head, index) => {
        if (index === column) head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
    };
    // Served rows have no filter: the server sorts and searches them.
    if (input)
      heads.forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
          const current = head.getAttribute("aria-sort");
          const isNumber = head.classList.contains("number");
          sort(column, current ? current === "ascending" : isNumber);
          count();
        });
      });
    const unfold = section.querySelector("[data-unfold]");
    const count = () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      // Matches may be anywhere.
      if (unfold && words.length > 0) unfold.checked = true;
      let shown = 0;
      rows.forEach((row, index) => {
        row.hidden = !words.every((word) => text[index].includes(word));
        if (!row.hidden) shown += 1;
      });
      const sorted = heads.find((head) => head.hasAttribute("aria-sort"));
      status.textContent =
        shown.toLocaleString("en-US") +
        " of " +
        rows.length.toLocaleString("en-US") +
        (rows.length === 1 ? " row" : " rows") +
        (sorted ? `, sorted by ${sorted.textContent}, ${sorted.getAttribute("aria-sort")}` : "");
    };
    const hasStatements = table.classList.contains("statements");
    const narrow = matchMedia("(max-width: 40rem)");
    const fold = () => {
      if (!narrow.matches || table.classList.contains("folded")) return;
      table.classList.add("folded");
      // Rows laid out as boxes lose their role for screen readers unless it is set.
      const setRole = (elements, role) => {
        for (const element of elements) element.setAttribute("role", role);
      };
      // The header spans all rows to stay visible.
      new ResizeObserver(() => table.style.setProperty("--head", `${table.tHead.offsetHeight}px`)).observe(
        table.tHead,
      );
      setRole([table], "table");
      setRole([table.tHead, body], "rowgroup");
      setRole(heads, "columnheader");
      setRole([table.tHead.rows[0], ...rows], "row");
      for (const row of rows) {
        setRole(row.cells, "cell");
        if (hasStatements) continue;
        const button = document.createElement("button");
        button.type = "button";
        button.className = "more";
        button.setAttribute("aria-expanded", "false");
        const lead = row.querySelector(".lead");
        button.setAttribute("aria-label", `Details of ${lead.textContent}`);
        lead.prepend(button);
      }
    };
    body.addEventListener("click", ({ target }) => {
      const row = target.closest("tr");
      if (!narrow.matches || hasStatements || !row || target.closest("a")) return;
      const isOpen = row.classList.toggle("open");
      [...row.cells].forEach((cell, index) => {
        cell.dataset.label = heads[index].textContent;
      });
      row.querySelector(".more")?.setAttribute("aria-expanded", String(isOpen));
    });
    narrow.addEventListener("change", fold);
    fold();
    if (!input) return;
    let waiting;
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(count, rows.length > 1000 ? 120 : 0);
    });
    input.closest("label").hidden = false;
  };
  document.querySelectorAll("table[data-rows]").forEach(enhance);
})();
