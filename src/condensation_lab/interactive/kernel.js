/** Whether a kernel is behind a live piece: it is asked, by ping and pong. */

let pingsSent = 0;

/**
 * Ask the kernel of a piece for a sign of life. Needs `answer_pings` on the Python side. A kernel that is busy with a
 * cell may answer late (where the front end has no way past the cell), so "no answer" says no more than that.
 * @param {object} model the anywidget's model; one without `widget_manager` has no kernel, which is known at once
 * @param {number} patience in milliseconds
 * @returns {Promise<boolean>} whether an answer came in time
 */
export function kernelAnswers(model, patience = 3000) {
  if (!model.widget_manager) return Promise.resolve(false);
  const nonce = `${Date.now()}-${pingsSent++}`; // two views of a piece share its messages
  return new Promise((resolve) => {
    const late = setTimeout(() => settle(false), patience);
    function settle(answers) {
      clearTimeout(late);
      model.off("msg:custom", answered);
      resolve(answers);
    }
    function answered(content) {
      if (content?.type === "pong" && content.nonce === nonce) settle(true);
    }
    model.on("msg:custom", answered);
    try {
      model.send({ type: "ping", nonce });
    } catch { // the front end knows that the kernel is gone
      settle(false);
    }
  });
}
