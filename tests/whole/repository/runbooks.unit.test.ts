// Claim: each alert leads to a section of its own in docs/runbooks.md, no section is of an alert that does not exist, and every command that
// docs/runbooks.md and docs/deploy.md tell a person to run exists, with its options.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { parse } from 'yaml';
import { anchorsOf } from '../../support/book/citations.ts';
import { commandsIn, faultOfCommand, toolCommands } from '../../support/book/sds-commands.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const page = read('docs/runbooks.md');

type Rule = { alert?: string; annotations?: { runbook?: string } };
const { groups } = parse(read('ops/alerts/sds.rules.yaml')) as { groups: { rules: Rule[] }[] };
const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== undefined);

describe('the runbooks', () => {
  it('have a section of each alert, and of nothing else', () => {
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(sections.toSorted(), alerts.map(({ alert }) => alert).toSorted());
  });

  it('are where each alert leads', () => {
    const anchors = anchorsOf(page);
    for (const { alert = '', annotations } of alerts) {
      const anchor = alert.toLowerCase();
      assert.equal(annotations?.runbook, `docs/runbooks.md#${anchor}`);
      assert.ok(anchors.includes(anchor), alert);
    }
  });

  it('say in each section what to do', () => {
    for (const section of page.split(/^## /m).slice(1)) assert.ok(section.split('\n').length > 3, section);
  });
});

describe('the commands of the pages for the night', () => {
  for (const path of ['docs/runbooks.md', 'docs/deploy.md', 'docs/backup.md']) {
    it(`exist, with their options: ${path}`, async () => {
      const commands = await toolCommands();
      const written = commandsIn(read(path));
      assert.ok(written.length >= 3, `${path} names ${written.length} commands`);
      assert.deepEqual(
        written.flatMap((words) => faultOfCommand(commands, words) ?? []),
        [],
      );
    });
  }

  it('would be told from others', async () => {
    const commands = await toolCommands();
    const asked = commandsIn(
      '`sds stats`, `sds dlq burn ID`, `./sds status --chek`\n```sh\nsds verify GAME  # all\n```\n',
    );
    assert.deepEqual(
      asked.map((words) => faultOfCommand(commands, words)),
      ['there is no sds stats', 'there is no sds dlq burn', 'sds status --chek: no --chek', null],
    );
  });
});
