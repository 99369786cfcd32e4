// The section of the reference about what programs need not do themselves: the clients, the proxy, and the server for models.
import { codeSample, html, type Markup, prose, table } from '../../http/pages/html.ts';
import type { Section } from '../../http/pages/page.ts';
import { type ClientProgram, clientFunctions, clientPrograms, modelTools } from './client-programs.ts';

/** `msf`: the service has revisions, which the quick starts read. */
export function clientsSection({ msf, baseUrl }: { msf: boolean; baseUrl: string }): Section {
  const tools = [
    { id: 'proxy', title: 'Proxy: sds proxy', body: proxy(baseUrl) },
    { id: 'models', title: 'For models: sds mcp', body: models(baseUrl) },
  ];
  return {
    id: 'clients',
    title: 'Clients',
    parts: [...clientPrograms.map(({ id, title }) => ({ id: `client-${id}`, title })), ...tools],
    body: html`<p>${prose('A checkout of the service has clients for Python (`Client`, and `AsyncClient` for asyncio) and for Node and browsers. They do what the examples above do, and continue by themselves after a restart of the service, a lost connection, a 409 or 410, and the change from live to final. Where rows that you took are void, they hand out a `Reset`: discard what you have of the game. A refusal is an error with its problem type; what may pass is asked again, with `Retry-After`.')}</p>
${table(
  ['Function', 'What it gives'],
  clientFunctions.map(([call, gives]) => [html`<code>${call}</code>`, prose(gives)]),
)}
${msf ? '' : html`<p>${prose('This service serves no revisions: leave the loop over `revisions` out of the quick starts.')}</p>`}
${clientPrograms.map(client)}
${tools.map(({ id, title, body }) => html`${heading(id, title)}\n${body}`)}`,
  };
}

function heading(id: string, title: string): Markup {
  return html`<h3 id="${id}"><a href="#${id}">${title}</a></h3>`;
}

function client({ id, title, folder, install, run, program, comment }: ClientProgram): Markup {
  return html`${heading(`client-${id}`, title)}
<pre tabindex="0"><code data-install="${id}">${codeSample(install)}</code></pre>
<p>${prose(`Quick start: with \`API\` and \`KEY\` in the environment, \`${run}\` runs this program. All settings are in \`${folder}/README.md\`, the promises of both clients in \`docs/clients.md\`.`)}</p>
<pre tabindex="0"><code data-quick-start="${id}">${codeSample(program, comment)}</code></pre>
`;
}

function proxy(baseUrl: string): Markup {
  return html`<p>${prose('Serves the API on this machine and keeps its files on disk: each is moved and charged once, whoever reads it here, whole or by ranges. It needs no key from its readers. With the API away it serves what it has, marked as stale. Options and rules: `docs/proxy.md`.')}</p>
<pre tabindex="0"><code data-tool="proxy">${codeSample(`./sds proxy --url ${baseUrl} --key-file key        # in a checkout of the service; serves http://127.0.0.1:8090
duckdb -c "install httpfs; load httpfs; select * from read_parquet('http://127.0.0.1:8090/v1/games/$GAME/closing-lines') limit 20"`)}</code></pre>`;
}

function models(baseUrl: string): Markup {
  const config = {
    mcpServers: {
      'sports-data': {
        command: '/path/to/checkout/sds',
        args: ['mcp', '--url', baseUrl, '--key-file', '/path/to/key'],
      },
    },
  };
  return html`<p>${prose(`A server of the Model Context Protocol on standard input and output, with the tools ${modelTools.map((tool) => `\`${tool}\``).join(', ')}. It changes nothing and is charged like any reader; each answer says its \`rows_charged\`. This is its entry in the configuration of an MCP client:`)}</p>
<pre tabindex="0"><code data-tool="mcp">${codeSample(JSON.stringify(config, null, 2))}</code></pre>`;
}
