// The score and the newest plays of the game that is looked at, beside its odds, with the revision and the digest of what is shown.
import { byId, el, say } from './dom.mjs';
import { openState } from './msf-state.mjs';
import { rowsText, teamName } from './words.mjs';

const shownPlays = 12;

export function openScore(service, spending, game) {
  const [panel, score, clock, plays] = ['play', 'score', 'clock', 'plays'].map(byId);
  panel.hidden = true;
  plays.replaceChildren();
  const mayRead = (rows) => spending.allows(rows);

  const follow = (dataset, show) =>
    openState(service, game, dataset, {
      mayRead,
      show(state) {
        panel.hidden = false;
        show(state.rows);
        showProof(byId(`${dataset}-proof`), dataset, state);
      },
      // Where a service has no such data, the odds are all there is.
      onFault() {},
    });

  const streams = {
    'game-state': follow('game-state', ([state]) => {
      if (state === undefined) return;
      const of = (side) => `${teamName(game, side)} ${state[`${side}_score`] ?? '–'}`;
      say(score, `${of('away')}  ·  ${of('home')}`);
      const period = state.period === null ? '' : `${state.period_type ?? 'period'} ${state.period}`;
      const left = state.clock_seconds_remaining;
      const time = left === null ? '' : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
      say(clock, [period, time].filter(Boolean).join(', '));
    }),
    plays: follow('plays', (rows) => {
      const newest = rows.toSorted((a, b) => b.sequence - a.sequence).slice(0, shownPlays);
      plays.replaceChildren(
        ...newest.map(({ period, description, points }) =>
          el('li', { class: points ? 'scored' : null }, el('span', { class: 'quiet' }, `${period}`), ` ${description}`),
        ),
      );
    }),
  };

  return {
    took: ({ dataset }) => streams[dataset]?.moved(),
    close() {
      for (const stream of Object.values(streams)) stream.close();
    },
  };
}

function showProof(element, dataset, { record, isProven }) {
  const proof = { true: 'proven here', false: 'NOT the published rows', null: 'not proven: no secure page' }[isProven];
  const digest = record.snapshot_digest;
  element.title = digest;
  say(
    element,
    `${dataset}: revision ${record.revision}, ${rowsText(record.snapshot_row_count)}, digest ${digest.slice(0, 12)}… ${proof}`,
  );
}
