// Cut a font down to some characters, with harfbuzz: node icons.cjs <harfbuzz-subset.wasm> <font.ttf> <characters>
// writes the font in place. Run by icons.py.
"use strict";
const { readFileSync, writeFileSync } = require("node:fs");
const [wasm, file, characters] = process.argv.slice(2);

WebAssembly.instantiate(readFileSync(wasm)).then(({ instance: { exports: harfbuzz } }) => {
  harfbuzz._initialize();
  const bytes = () => new Uint8Array(harfbuzz.memory.buffer); // anew each time: memory that grows leaves old views empty
  const font = readFileSync(file);
  const place = harfbuzz.malloc(font.length);
  bytes().set(font, place);
  const face = harfbuzz.hb_face_create(harfbuzz.hb_blob_create(place, font.length, 2, 0, 0), 0);
  const wanted = harfbuzz.hb_subset_input_create_or_fail();
  const unicodes = harfbuzz.hb_subset_input_unicode_set(wanted);
  for (const character of characters) harfbuzz.hb_set_add(unicodes, character.codePointAt(0));
  const cut = harfbuzz.hb_subset_or_fail(face, wanted);
  if (!cut) throw new Error(`harfbuzz cannot cut ${file}`);
  const blob = harfbuzz.hb_face_reference_blob(cut);
  const start = harfbuzz.hb_blob_get_data(blob, 0);
  writeFileSync(file, bytes().subarray(start, start + harfbuzz.hb_blob_get_length(blob)));
}).catch((error) => {
  process.stderr.write(String(error.message ?? error));
  process.exitCode = 1;
});
