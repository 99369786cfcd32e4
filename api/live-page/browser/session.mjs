// The reader's key: asked for once. It is kept in this tab's session storage, and a tab that is opened later gets it from one that has it. It is
// never in an address, in a log, or anywhere that outlives the browser.
import { byId } from './dom.mjs';
import { pause } from './pause.mjs';
import { onPosted, post } from './tabs.mjs';

const name = 'sds-key';
let isReplacing = false;
const form = /^svc_live_[0-9A-Za-z]{46}$/;

onPosted('key?', () => {
  const key = sessionStorage.getItem(name);
  if (key !== null) post('key', key);
});

/** The key of this tab, of another one, of the demo, or of its reader. */
export async function findKey() {
  const key = sessionStorage.getItem(name) ?? (await ofOtherTabs());
  const found = key ?? (await askFor(keyOfPage(), ''));
  sessionStorage.setItem(name, found);
  return found;
}

/** The key was refused: asks for another one, once for all that was refused, and starts anew with it. After a new start of the demo the page has one that is newer. */
export async function replaceKey(because) {
  if (isReplacing) return;
  isReplacing = true;
  const refused = sessionStorage.getItem(name);
  sessionStorage.removeItem(name);
  sessionStorage.setItem(name, await askFor(keyOfPage() === refused ? '' : keyOfPage(), because));
  location.reload();
}

/** The key that the page has filled in; '' where it has none. */
function keyOfPage() {
  return document.querySelector('meta[name=key]')?.content ?? '';
}

async function ofOtherTabs() {
  const answered = new Promise((resolve) => onPosted('key', resolve));
  post('key?');
  return (await Promise.race([answered, pause(150)])) ?? null;
}

function askFor(filledIn, because) {
  const element = byId('key-form');
  const input = byId('key');
  const fault = byId('key-fault');
  element.hidden = false;
  byId('frame').hidden = true;
  byId('key-demo').hidden = filledIn === '';
  input.value = filledIn;
  fault.textContent = because;
  (filledIn === '' ? input : byId('key-open')).focus();
  const answered = new AbortController();
  return new Promise((resolve) => {
    element.addEventListener('submit', take, { signal: answered.signal });

    function take(event) {
      event.preventDefault();
      const key = input.value.trim();
      const isKey = form.test(key);
      fault.textContent = isKey ? '' : 'A key begins with svc_live_ and has 55 characters.';
      input.setAttribute('aria-invalid', String(!isKey));
      if (!isKey) return input.focus();
      input.value = '';
      element.hidden = true;
      answered.abort();
      resolve(key);
    }
  });
}
