// Server-sent events as they come out of a body. EventSource cannot send the key in a header field, so they are read by hand.

/** Yields `{event, data}`, data parsed. */
export async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
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

function fieldOf(block, name) {
  const line = block.split('\n').find((each) => each.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
}
