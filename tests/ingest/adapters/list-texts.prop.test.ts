// Texts of an element with other entries in its list: the same as the element's own text, whatever is around the list.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { it } from 'vitest';
import { JsonNumber, type JsonObject, type JsonValue } from '../../../core/json/value.ts';
import { jsonText } from '../../../ingest/adapters/json-text.ts';
import { ListTexts } from '../../../ingest/adapters/list-texts.ts';

const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('__proto__', '7', 'a"b', 'list'));
const number = fc.constantFrom('1.10', '1e400', '-0').map((text) => new JsonNumber(text));
const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    number,
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value;

it('are those of the element with these entries', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, value), { maxLength: 5 }),
      fc.array(value, { maxLength: 6 }),
      fc.array(fc.nat(), { maxLength: 4 }),
      fc.nat({ max: 5 }),
      (members, list, choices, place) => {
        const before = members.filter(([each]) => each !== 'list').slice(0, place);
        const after = members.filter(([each]) => each !== 'list').slice(place);
        const elementWith = (entries: readonly JsonValue[]): JsonObject =>
          Object.fromEntries([...before, ['list', entries] as const, ...after]);
        const texts = new ListTexts(elementWith(list), 'list');
        for (const entries of [[], list, choices.flatMap((choice) => list.slice(choice % 7, (choice % 7) + 1))])
          assert.equal(texts.textWith(entries), jsonText(elementWith(entries)));
      },
    ),
  );
});
