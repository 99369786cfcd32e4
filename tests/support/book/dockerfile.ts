// The Dockerfile as instructions, for tests that check them and run their commands.
import { readFileSync } from 'node:fs';

export type Instruction = { name: string; text: string; stage: number };

export function readDockerfile(): Instruction[] {
  let stage = -1;
  return readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', ...rest] = line.split(' ');
      if (name === 'FROM') stage += 1;
      return { name, text: rest.join(' '), stage };
    });
}

/** The words of an instruction in exec form. @throws SyntaxError if the instruction needs a shell */
export function wordsOf(instructions: readonly Instruction[], name: string): string[] {
  const text = instructions.find((one) => one.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}
