// What the references of an API description lead to: nothing, or a component; and which components no reference leads to.
import type { Described } from './documented.ts';
import { resolve } from './json-schema.ts';

type References = { readonly broken: readonly string[]; readonly unused: readonly string[] };

export function referencesOf(description: Described): References {
  const text = JSON.stringify(description);
  const made = new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference));
  const secured = [...text.matchAll(/"security":\[\{"(\w+)"/g)].map(
    ([, name]) => `#/components/securitySchemes/${name}`,
  );
  const used = new Set([...made, ...secured]);
  const kinds = Object.entries(description.components);
  const all = kinds.flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`));
  return {
    broken: [...made].filter((reference) => !leads(description, reference)),
    unused: all.filter((component) => !used.has(component)),
  };
}

function leads(description: Described, reference: string): boolean {
  try {
    return resolve(description, reference) !== undefined;
  } catch {
    return false;
  }
}
