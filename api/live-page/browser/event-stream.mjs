// Server-sent events as they come out of a body. EventSource cannot send the key in a header field, so they are read by hand.

/** The service sends a comment every 15 seconds. A connection that is lost may be silent for ever, and never end. */
const silenceMs = 45_000;

/** Yields `{event, data}`, data parsed. Throws where nothing has come for too long. */
export async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await nextOf(reader);
      if (done) return;
      const blocks = (text + value).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) {
        const event = fieldOf(block, 'event');
        const data = fieldOf(block, 'data');
        if (event !== null && data !== null) yield { event, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function nextOf(reader) {
  let timer;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('The stream of events is silent.')), silenceMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

function fieldOf(block, name) {
  const line = block.split('\n').find((each) => each.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
}
