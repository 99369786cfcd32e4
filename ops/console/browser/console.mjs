// Keeps the console up to date: asks for the page again, and changes what differs and nothing else, so that the focus, a selection and the place
// of the reader stay. Without it the page is whole, and as old as it was loaded.

const everyMs = 2_000;
const main = document.getElementById('state');
const link = document.getElementById('link');
const button = document.getElementById('pause');
let isPaused = false;
/** It asks no more. */
let hasEnded = false;
let awaySince = null;

button.hidden = false;
button.addEventListener('click', () => {
  isPaused = !isPaused;
  button.setAttribute('aria-pressed', String(isPaused));
  showState();
});
showState();
void keepUp();

async function keepUp() {
  for (;;) {
    await new Promise((done) => setTimeout(done, everyMs));
    if (isPaused || document.visibilityState !== 'visible') continue;
    const { status, page } = await askAgain();
    if (status === 401) {
      hasEnded = true;
      button.hidden = true;
      showState();
      return;
    }
    const fresh = status === 200 ? page?.getElementById('state') : null;
    awaySince = fresh ? null : (awaySince ?? new Date());
    if (fresh && !isPaused) {
      become(main, fresh);
      document.title = page.title;
    }
    showState();
  }
}

/** `page`: parsed, and not run. */
function askAgain() {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.timeout = 10_000;
    request.onloadend = () => done({ status: request.status, page: request.response });
    request.open('GET', location.pathname);
    request.send();
  });
}

/** Makes the old node equal to the fresh one. */
function become(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
    old.replaceWith(document.importNode(fresh, true));
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const [before, after] = [[...old.childNodes], [...fresh.childNodes]];
  for (const [at, node] of after.entries()) {
    if (before[at] === undefined) old.append(document.importNode(node, true));
    else become(before[at], node);
  }
  for (const node of before.slice(after.length)) node.remove();
}

function showState() {
  if (hasEnded) show('away', 'The secret is no longer right: load this page again.');
  else if (isPaused) show('paused', 'paused');
  else if (awaySince === null) show('open', 'live');
  else show('away', `no answer since ${awaySince.toLocaleTimeString()}`);
}

/** A text is set where it differs, so that a screen reader hears of changes alone. */
function show(state, text) {
  document.body.dataset.link = state;
  if (link.textContent !== text) link.textContent = text;
}
