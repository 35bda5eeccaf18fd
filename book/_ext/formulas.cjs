// Formulas as HTML, made when the book is built: reads [{tex, display}] and the address of the fonts, writes their HTML
// and the style sheet that goes with it. Run by formulas.py in Node.
"use strict";
const [folder, fontURL] = process.argv.slice(2);
const options = {
  loader: { load: ["input/tex", "output/chtml", "adaptors/liteDOM"], versionWarnings: false },
  chtml: { fontURL, scale: 1.1 }, // MathJax's small letters are as high as those of the book's serif then
};

require(`${folder}/node-main.js`).init(options).then(async (MathJax) => {
  const { adaptor } = MathJax.startup;
  const formulas = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const html = [];
  for (const { tex, display } of formulas) {
    const made = await MathJax.tex2chtmlPromise(tex, { display });
    const mathml = await MathJax.tex2mmlPromise(tex, { display });
    if (mathml.includes("<merror")) throw new Error(`MathJax cannot read the formula ${tex}`);
    adaptor.setAttribute(adaptor.firstChild(made), "aria-hidden", "true"); // screen readers take the MathML beside it
    const spoken = `<mjx-assistive-mml>${mathml.replace(/\n\s*/g, "")}</mjx-assistive-mml>`;
    html.push(adaptor.outerHTML(made).replace(/<\/mjx-container>$/, `${spoken}</mjx-container>`));
  }
  process.stdout.write(JSON.stringify({ html, css: adaptor.textContent(MathJax.chtmlStylesheet()) }));
}).catch((error) => {
  process.stderr.write(String(error.message ?? error));
  process.exitCode = 1;
});
