// The script of the reference pages: copy buttons for programs, a search within the page, and a mark at the current place in the table of
// contents. The page works without it. It is inline, and the page's policy allows it by its hash; it requests nothing and stores nothing.

const announcement = make('p', { className: 'unseen', role: 'status' });
const contents = document.querySelector('.layout > nav');
for (const code of document.querySelectorAll('pre > code')) offerCopy(code);
letTablesScroll([...document.querySelectorAll('.table')]);
if (contents !== null) {
  const parts = partsOf(contents);
  offerSearch(contents, parts);
  markPlace(contents, parts);
  showMore(contents.querySelector('ul'));
}
document.body.append(announcement);

function make(name, properties) {
  return Object.assign(document.createElement(name), properties);
}

/** A copy button for the program; in browsers that do not let pages copy, one that selects it. */
function offerCopy(code) {
  const program = code.parentElement;
  const canCopy = navigator.clipboard !== undefined;
  const label = canCopy ? 'Copy' : 'Select';
  const button = make('button', { type: 'button', className: 'copy', textContent: label });
  const frame = make('div', { className: `code ${program.className}` });
  program.removeAttribute('class');
  program.replaceWith(frame);
  frame.append(program, button);
  const done = canCopy ? 'Copied' : 'Selected';
  button.addEventListener('click', async () => {
    try {
      if (canCopy) await navigator.clipboard.writeText(code.textContent);
      else getSelection().selectAllChildren(code);
      button.textContent = done;
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    announcement.textContent = `${button.textContent}.`;
  });
  for (const left of ['blur', 'pointerleave']) {
    button.addEventListener(left, () => {
      button.textContent = label;
      announcement.textContent = '';
    });
  }
}

/** A table wider than the page can be scrolled by keyboard. */
function letTablesScroll(tables) {
  const update = () => {
    for (const table of tables) {
      if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
      else table.removeAttribute('tabindex');
    }
  };
  addEventListener('resize', update);
  update();
}

/** The entries of the table of contents, in page order: each with its link, its heading and its chapter. */
function partsOf(nav) {
  return [...nav.querySelectorAll('li > a')].flatMap((link) => {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    const chapter = link.closest('nav > ul > li');
    return heading === null || chapter === null ? [] : [{ link, heading, chapter, text: null }];
  });
}

/** The words of a section: from its heading to the next. */
function textOf(parts, at) {
  const range = document.createRange();
  range.setStartBefore(parts[at].heading);
  const next = parts[at + 1];
  if (next === undefined) range.setEndAfter(document.querySelector('main').lastChild);
  else range.setEndBefore(next.heading);
  return range.toString().toLowerCase();
}

function offerSearch(nav, parts) {
  const field = make('input', { type: 'search', autocomplete: 'off', spellcheck: false });
  field.setAttribute('aria-keyshortcuts', '/');
  const label = make('label', { textContent: 'Search' });
  label.append(field);
  const found = make('p', { className: 'found', role: 'status' });
  nav.querySelector('ul').before(label, found);

  const search = () => {
    const words = field.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    nav.classList.toggle('searching', words.length > 0);
    let count = 0;
    const chapters = new Set();
    parts.forEach((part, at) => {
      part.text ??= textOf(parts, at);
      const matches = words.every((word) => part.text.includes(word));
      if (matches) chapters.add(part.chapter);
      if (matches) count += 1;
      part.link.parentElement.hidden = !matches;
    });
    // A chapter is shown with its matching sections.
    for (const chapter of chapters) chapter.hidden = false;
    found.textContent = words.length === 0 ? '' : count === 1 ? '1 part has it' : `${count} parts have it`;
    highlight(words);
  };
  const leave = () => {
    field.value = '';
    search();
  };
  field.addEventListener('input', search);
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
    if (event.key !== 'Enter' || field.value.trim() === '') return;
    parts.find(({ link }) => link.parentElement.hidden === false && link.closest('[hidden]') === null)?.link.click();
  });
  // On a phone the results cover the page.
  nav.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null && getComputedStyle(nav).position === 'sticky' && innerWidth <= 896) leave();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input:not([type="radio"]), textarea') != null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
}

const mostHighlights = 2_000;

/** Highlights the words, in browsers that can do so without changing the page. */
function highlight(words) {
  if (CSS.highlights === undefined) return;
  CSS.highlights.delete('found');
  if (words.length === 0) return;
  const marks = new Highlight();
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && marks.size < mostHighlights; node = texts.nextNode()) {
    const text = node.data.toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        marks.add(range);
      }
    }
  }
  CSS.highlights.set('found', marks);
}

/** Marks the section at the top of the window and keeps its link visible. */
function markPlace(nav, parts) {
  let current = null;
  const update = () => {
    const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8;
    let here = parts.findLast(({ heading }) => heading.getBoundingClientRect().top <= line) ?? null;
    // The last sections of a page cannot reach the top: if one of them is the target and visible, it is the current one.
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const asked = parts.find(({ link }) => link.hash === location.hash);
    if (isAtEnd && asked !== undefined && asked.heading.getBoundingClientRect().top > 0) here = asked;
    if (here === current) return;
    current?.link.removeAttribute('aria-current');
    current?.chapter.classList.remove('here');
    current = here;
    here?.link.setAttribute('aria-current', 'location');
    here?.chapter.classList.add('here');
    const shown = here?.link.offsetParent === null ? here.chapter.querySelector('a') : here?.link;
    if (shown != null) bringIntoSight(nav, shown);
  };
  addEventListener('scroll', update, { passive: true });
  addEventListener('hashchange', update);
  addEventListener('resize', update);
  update();
}

/** Scrolls only the table of contents, not the page. */
function bringIntoSight(nav, link) {
  for (const scrolled of [nav, nav.querySelector('ul')]) {
    const [box, at] = [scrolled.getBoundingClientRect(), link.getBoundingClientRect()];
    if (scrolled.scrollHeight > scrolled.clientHeight && (at.top < box.top || at.bottom > box.bottom))
      scrolled.scrollTop += at.top - box.top - box.height / 3;
    if (scrolled.scrollWidth > scrolled.clientWidth) scrolled.scrollLeft += at.left - box.left - box.width / 3;
  }
}

/** Marks the ends of the row beyond which it can be scrolled; the style fades it out there. */
function showMore(list) {
  const update = () => {
    const { scrollLeft, scrollWidth, clientWidth } = list;
    list.classList.toggle('more-before', scrollLeft > 4);
    list.classList.toggle('no-more-after', scrollLeft + clientWidth >= scrollWidth - 4);
  };
  list.addEventListener('scroll', update, { passive: true });
  addEventListener('resize', update);
  update();
}
