// Reads a Compose file with the library that `docker compose` uses, which validates it against the specification's
// schema. Built with Go; no engine is needed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installed, needProgram, run } from './installed.ts';

const version = 'v2.16.2';
const library = 'github.com/compose-spec/compose-go/v2';

const program = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"${library}/cli"
)

func main() {
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv)
	if err == nil {
		project, failed := options.LoadProject(context.Background())
		if failed == nil {
			err = json.NewEncoder(os.Stdout).Encode(project.ServiceNames())
		} else {
			err = failed
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`;

/** The program that loads a Compose file and prints the names of its services. */
export async function composeLoader(): Promise<string> {
  const home = await installed('compose-go', version, 'the Go proxy', async (directory) => {
    const go = (...args: string[]) =>
      run(needProgram('go'), args, { cwd: directory, env: { GOFLAGS: '-modcacherw', GOWORK: 'off' } });
    writeFileSync(join(directory, 'main.go'), program);
    await go('mod', 'init', 'compose-loader');
    await go('get', `${library}@${version}`);
    await go('mod', 'tidy');
    await go('build', '-o', 'compose-loader', '.');
  });
  return join(home, 'compose-loader');
}
