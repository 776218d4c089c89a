// What the browser made of a report, as numbers; evaluated within the page.
(() => {
	const seen = (r) => r.width > 0 && r.height > 0;
	const rgb = (s) => {
		const m = s.match(/[\d.]+/g).map(Number);
		return { r: m[0], g: m[1], b: m[2], a: m.length > 3 ? m[3] : 1 };
	};
	const luminance = (c) => {
		const part = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
		return 0.2126 * part(c.r) + 0.7152 * part(c.g) + 0.0722 * part(c.b);
	};
	const contrast = (a, b) => {
		const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
		return (x + 0.05) / (y + 0.05);
	};
	const ground = (e) => {
		for (; e; e = e.parentElement) {
			const c = rgb(getComputedStyle(e).backgroundColor);
			if (c.a === 1) return c;
		}
		return { r: 255, g: 255, b: 255, a: 1 };
	};
	const owns_text = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
	// heads of tables that are shown as cards are there for screen readers alone
	const clipped = (e) => e.closest("thead") && getComputedStyle(e.closest("thead")).position === "absolute";
	const visible = (e) => e.checkVisibility({ visibilityProperty: true }) && seen(e.getBoundingClientRect());

	// text: contrast and size
	const least = matchMedia("print").matches ? 8 * 96 / 72 - 0.1 : 12; // 8 points on paper
	let faint = [], small = [];
	for (const e of document.querySelectorAll("body *")) {
		if (!owns_text(e) || !visible(e) || ["TITLE", "DESC", "title", "desc"].includes(e.tagName)) continue;
		const style = getComputedStyle(e), svg = e instanceof SVGElement;
		const colour = rgb(svg ? style.fill : style.color), size = parseFloat(style.fontSize);
		const ratio = contrast(colour, ground(e.closest("figure") || e));
		if (ratio < 4.5) faint.push(`${e.textContent.trim().slice(0, 40)}: ${ratio.toFixed(2)}`);
		if (size < least) small.push(`${e.textContent.trim().slice(0, 40)}: ${size}px`);
	}

	// charts: texts within the page and apart from each other, curves that are there
	const charts = [...document.querySelectorAll("svg[role=img]")].filter(visible).map((svg) => {
		const texts = [...svg.querySelectorAll("text")].filter(visible).map((t) => {
			const r = t.getBoundingClientRect();
			return { text: t.textContent, left: r.left, right: r.right, top: r.top, bottom: r.bottom };
		});
		const overlaps = [], outside = [];
		texts.forEach((a, i) => {
			if (a.left < 0 || a.right > innerWidth) outside.push(a.text);
			texts.slice(i + 1).forEach((b) => {
				const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
				const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
				// boxes of text are higher than its letters
				if (width > 0.5 && height > 4) overlaps.push(`${a.text} / ${b.text}`);
			});
		});
		const named = svg.getAttribute("aria-labelledby").split(" ").map((id) => document.getElementById(id));
		return {
			title: named[0] && named[0].textContent,
			summary: named[1] && named[1].textContent,
			told: !!named[1] && svg.closest("figure").textContent.includes(named[1].textContent),
			texts: texts.map((t) => t.text),
			width: svg.getBoundingClientRect().width,
			curves: [...svg.querySelectorAll("path.line")].filter(
				(p) => { const r = p.getBoundingClientRect(); return r.width > 2 || r.height > 2; }).length,
			points: Math.max(0, ...[...svg.querySelectorAll("path")].map((p) => (p.getAttribute("d").match(/[ML]/g) || []).length)),
			overlaps, outside,
		};
	});
	const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
	return {
		faint, small, charts,
		overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
		wide: [...document.querySelectorAll("body *")].filter((e) => !(e instanceof SVGElement) && visible(e) && !clipped(e) &&
			e.getBoundingClientRect().right > innerWidth + 1).slice(0, 5).map((e) => e.tagName + " " + e.textContent.slice(0, 30)),
		ground: getComputedStyle(document.body).backgroundColor,
		styled: getComputedStyle(document.querySelector("main")).maxWidth !== "none" || matchMedia("print").matches,
		twins: ids.filter((id, i) => ids.indexOf(id) !== i),
		broken: [...document.querySelectorAll("a[href]")].filter(
			(a) => !document.getElementById(a.getAttribute("href").slice(1))).length,
		resources: performance.getEntriesByType("resource").map((r) => r.name),
		scripts: document.scripts.length,
		text: document.body.textContent,
	};
})()
