/** The page's side of the training: a worker that trains slice after slice, or, where none may run, the page itself. */

const SLICE = 16; // milliseconds of training between two pictures

/**
 * @param {string} source  script that defines `trainingRun`
 * @param {(reply: object) => void} told  what a slice has come to @param {(reason: string) => void} failed
 */
export function trainer(source, told, failed) {
  let run = 0; // counts beginnings: an answer to an earlier one is late
  let out = 0; // messages without an answer
  let playing = false;
  let until = 0; // a step to go to at once
  let pace = () => Infinity; // the step that is due some seconds after playing began at a step
  let paced = null; // when and where that was
  let latest = null;
  let ended = false;
  let begun = null; // the last beginning, for a page whose worker never answers
  let post = inWorker();

  function inWorker() {
    const script = `${source}\nconst answer = trainingRun();\nonmessage = ({ data }) => postMessage(answer(data));`;
    try {
      const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      const worker = new Worker(address);
      let works = false;
      worker.onmessage = ({ data }) => {
        works = true;
        heard(data);
      };
      worker.onerror = ({ message }) => {
        if (works) return failed(message);
        [post, out] = [inPage(), 0];
        return begun && send({ begin: begun });
      };
      return Object.assign((message) => worker.postMessage(message), { end: () => worker.terminate() });
    } catch {
      return inPage();
    }
  }

  /** A page that may have no worker trains between its frames. */
  function inPage() {
    const answer = new Function(`${source}\nreturn trainingRun();`)();
    return Object.assign((message) => setTimeout(() => ended || heard(answer({ ...message, milliseconds: 8 }))), { end() {} });
  }

  function send(message) {
    out += 1;
    post({ ...message, run });
  }

  function heard(reply) {
    out -= 1;
    if (ended) return;
    if (reply.run !== run) { // of a run that is over; who waits for the last answer has it
      if (!out) told(latest);
      return;
    }
    latest = reply;
    if (reply.step >= until) until = 0;
    if (reply.stop) [playing, until] = [false, 0];
    next();
    told(reply);
  }

  /** Ask for the next slice, if one is wanted. */
  function next() {
    if (out || ended || !latest) return;
    if (until) send({ last: until, milliseconds: 4 * SLICE });
    else if (playing && document.hidden) document.addEventListener("visibilitychange", next, { once: true });
    else if (playing) {
      paced ??= { at: performance.now(), step: latest.step };
      const due = pace((performance.now() - paced.at) / 1000, paced.step);
      if (due > latest.step) send({ last: due, milliseconds: SLICE });
      else requestAnimationFrame(next);
    }
  }

  return {
    /** Draw a network anew and train it to a step at once; null: there is nothing to learn. */
    begin(wanted, step = 0) {
      run += 1;
      [begun, latest, until, paced] = [wanted, null, step, null];
      if (wanted) send({ begin: wanted });
      else [playing, until] = [false, 0];
    },
    play() {
      [playing, paced] = [true, null];
      next();
    },
    pause() {
      playing = false;
    },
    step() {
      playing = false;
      if (latest && !latest.stop) until = latest.step + 1;
      next();
    },
    /** @param {(seconds: number, from: number) => number} due  step that is due so long after a step */
    pace(due) {
      [pace, paced] = [due, null];
    },
    playing: () => playing,
    busy: () => playing || until > 0 || out > 0,
    end() {
      ended = true;
      post.end();
    },
  };
}
