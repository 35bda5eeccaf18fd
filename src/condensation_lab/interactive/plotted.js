/** The numbers in a drawn plotly figure, as tables. Nothing here touches the DOM, so Node tests it. */

const sameValues = (a, b) => a.length === b.length && Array.from(a).every((value, at) => Object.is(value, b[at]));

/**
 * @param {{_fullData: object[], _fullLayout: object}} box  a drawn plotly element
 * @returns {import("./toolbar.js").Table[]} one for each map, one for all curves over the same points, errors beside them
 */
export function plottedTables({ _fullData: traces, _fullLayout: layout }) {
  const title = (trace, letter) => {
    const axis = layout[(trace[`${letter}axis`] ?? letter).replace(letter, `${letter}axis`)];
    return axis?.title?.text || letter;
  };
  const shown = traces.filter(({ visible, x, y, z }) => visible !== false && (x ?? y ?? z)?.length);
  const maps = shown.filter(({ z, type }) => z && type !== "contour").map((trace) => {
    const [xs, ys] = ["x", "y"].map((letter) => trace[letter] ?? Array.from(letter === "x" ? trace.z[0] : trace.z, (_, n) => n));
    const named = trace.name && !/^trace \d+$/.test(trace.name) ? trace.name : "";
    return {
      caption: trace.colorbar?.title?.text || named || "values",
      columns: [`${title(trace, "y")} \\ ${title(trace, "x")}`, ...Array.from(xs, String)],
      rows: Array.from(trace.z, (line, row) => [ys[row], ...line]),
    };
  });
  const groups = [];
  for (const trace of shown.filter(({ z }) => !z)) {
    const [x, y] = [trace.x ?? Array.from(trace.y, (_, n) => n), trace.y ?? []];
    const axes = [title(trace, "x"), title(trace, "y")];
    let group = groups.find((one) => String(one.axes) === String(axes) && sameValues(one.x, x));
    if (!group) groups.push(group = { axes, x, columns: [] });
    group.columns.push([trace.showlegend === false ? axes[1] : trace.name || axes[1], y]);
    if (trace.error_y?.array?.length) group.columns.push(["±", trace.error_y.array]);
    if (Array.isArray(trace.text)) group.columns.push(["label", trace.text]);
  }
  return [...maps, ...groups.map(({ axes, x, columns }) => ({
    caption: columns.length === 1 ? columns[0][0] : axes[1],
    columns: [axes[0], ...columns.map(([name]) => name)],
    rows: Array.from(x, (value, row) => [value, ...columns.map(([, values]) => values[row])]),
  }))];
}
