// The console as a page: the document as HTML, whole without a script; the script asks for it again. Nothing of it comes from elsewhere, and text
// never becomes markup.
import { html, type Markup, nothing, table } from '../../http/pages/html.ts';
import { pageScript, pageStyle, type RenderedPage, renderPage } from '../../http/pages/page.ts';
import type { ConsoleCheck, ConsoleState, Hop } from './console-state.ts';
import { ageText, counted } from './judgement.ts';

const style = pageStyle(new URL('console.css', import.meta.url));
const script = pageScript(new URL('browser/console.mjs', import.meta.url));
const allows = [...script.allows, "connect-src 'self'"];

export function consolePage(state: ConsoleState): RenderedPage {
  const summary = summaryOf(state.checks);
  const body = html`<a class="skip" href="#state">Skip to the checks</a>
<header class="bar">
<h1>Console</h1>
<p id="link" role="status"></p>
<button id="pause" type="button" aria-pressed="false" hidden>Pause</button>
</header>
<main id="state" tabindex="-1">
<p class="summary ${summary.state}" role="status">${summary.text}</p>
<p class="quiet">as of ${time(state.as_of)}</p>
<section>
<h2 id="checks">Checks</h2>
<ul class="checks">${[...state.checks].sort((one, other) => rank(one) - rank(other)).map(card)}</ul>
</section>
${section('hops', 'The way of a quote', table(hopHeads, state.hops.map(hopRow)), '')}
${section('sportsbooks', 'Sportsbooks', sportsbooks(state), 'No game has open offers.', state.left_out.sportsbooks)}
${section('partitions', 'Partitions', partitions(state), 'No projector has begun.', state.left_out.partitions)}
${section('dead-letters', 'Open dead letters', deadLetters(state), 'None is open.')}
${section('epochs', 'Replaced epochs', epochs(state), 'None was replaced in the last day.')}
${section('keys', 'Keys near a quota', keys(state), 'None is near a quota.')}
</main>
<noscript><p class="quiet">Without JavaScript the page stays as it was loaded.</p></noscript>`;
  const head = script.element;
  return renderPage({ title: `${summary.text} · Console`, body }, { style, allows, head });
}

function summaryOf(checks: readonly ConsoleCheck[]): { state: string; text: string } {
  const count = (state: ConsoleCheck['state']) => checks.filter((check) => check.state === state).length;
  const [bad, unknown] = [count('warn'), count('unknown')];
  if (bad + unknown === 0) return { state: 'ok', text: `All ${checks.length} checks are ok` };
  const parts = [...(bad > 0 ? [`${bad} warn`] : []), ...(unknown > 0 ? [`${unknown} unknown`] : [])];
  return {
    state: bad > 0 ? 'warn' : 'unknown',
    text: `${parts.join(', ')} of ${counted(checks.length, 'check')}`,
  };
}

function rank({ state }: ConsoleCheck): number {
  return ['warn', 'unknown', 'ok'].indexOf(state);
}

function card({ id, state, what, since, command }: ConsoleCheck): Markup {
  return html`<li class="${state}"><h3>${stateOf(state)} ${nameOf(id)}</h3>
<p>${what}</p>
<p class="foot"><code>${command}</code>${since === null ? nothing : html` <span class="quiet">since ${time(since)}</span>`}</p></li>\n`;
}

/** `rows`: null where they are unknown. */
function section(id: string, title: string, rows: Markup | null, none: string, leftOut = 0): Markup {
  const body =
    rows === null
      ? html`<p class="unknown">Unknown: the check above says why.</p>`
      : rows === nothing
        ? html`<p class="quiet">${none}</p>`
        : html`<div class="scroll" role="region" aria-label="${title}" tabindex="0">${rows}</div>`;
  const more = leftOut === 0 ? nothing : html`<p class="quiet">and ${leftOut} more</p>`;
  return html`<section><h2 id="${id}">${title}</h2>${body}${more}</section>`;
}

const hopHeads = ['State', 'Hop', 'Waiting', 'Late for', 'What', 'Command'];

function hopRow({ state, from, to, waiting, late_ms, what, command }: Hop) {
  const late = late_ms === null ? '' : ageText(late_ms * 1_000);
  return [stateOf(state), `${from} → ${to}`, numberOf(waiting), late, what, code(command)];
}

function sportsbooks({ sportsbooks: rows }: ConsoleState): Markup | null {
  const heads = ['State', 'Sportsbook', 'Source', 'Observed', 'Games', 'Late in', 'Command'];
  return listed(rows, heads, ({ state, operator, source, age_ms, games, late_games, command }) => [
    ...[stateOf(state), operator, source, `${ageText(age_ms * 1_000)} ago`],
    ...[games, late_games, code(command)],
  ]);
}

function partitions({ partitions: rows }: ConsoleState): Markup | null {
  const heads = ['State', 'Partition', 'Owner', 'Epoch', 'Behind', 'Next offset', 'Checkpoint', 'Command'];
  return listed(rows, heads, (row) => [
    ...[stateOf(row.state), `${row.projector}/${row.partition}`, row.owner ?? '–', row.owner_epoch],
    ...[numberOf(row.behind), numberOf(row.next_offset), time(row.checkpoint_at)],
    row.halted === null ? code(row.command) : html`<span class="why">${row.halted}</span>${code(row.command)}`,
  ]);
}

function deadLetters({ dead_letters: rows }: ConsoleState): Markup | null {
  const heads = ['State', 'Source', 'Code', 'Open', 'In 15 min', 'Newest', 'Command'];
  return listed(rows, heads, ({ state, source, code: refusal, letters, lately, newest, command }) => [
    ...[stateOf(state), source ?? '–', refusal, numberOf(letters), numberOf(lately)],
    ...[time(newest), code(command)],
  ]);
}

function epochs({ epochs: rows }: ConsoleState): Markup | null {
  const heads = ['State', 'Dataset', 'Scope', 'Present epoch', 'Begun', 'Command'];
  return listed(rows, heads, ({ state, dataset, scope, epoch, replaced_at, command }) => [
    ...[stateOf(state), dataset, scope, epoch, time(replaced_at), code(command)],
  ]);
}

function keys({ keys: rows }: ConsoleState): Markup | null {
  const heads = ['State', 'Key or account', 'Of', 'Quota', 'Used', 'Most', 'Command'];
  return listed(rows, heads, ({ state, kind, id, of, quota, used, most, command }) => [
    ...[stateOf(state), `${kind} ${id}`, of, quota, numberOf(used), numberOf(most), code(command)],
  ]);
}

type Cell = Markup | string | number;

function listed<Row>(rows: readonly Row[] | null, heads: readonly string[], cells: (row: Row) => Cell[]) {
  return rows === null ? null : table(heads, rows.map(cells));
}

function stateOf(state: string): Markup {
  return html`<span class="state ${state}">${state}</span>`;
}

function nameOf(id: string): string {
  return id.replaceAll('_', ' ');
}

function code(command: string): Markup {
  return html`<code>${command}</code>`;
}

function numberOf(number: number | null): string {
  return number === null ? '–' : number.toLocaleString('en');
}

/** To the second; UTC, as the log of a process has it. */
function time(text: string): Markup {
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}Z</time>`;
}
