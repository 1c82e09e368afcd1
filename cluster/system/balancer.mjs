import { readFile } from 'node:fs/promises'
import { inRoot } from '../../packages/plinth/scripts/paths.mjs'
import { CommandError } from '../../packages/plinth/scripts/terminal.mjs'
import { findNginx, startNginx } from '../../packages/plinth/tests/support/services/nginx.mjs'

/** nginx as packages/plinth/docs/deploying.md configures it, with an upstream of all instances. */
export async function startBalancer(port, instances, { keepaliveSeconds }) {
  const program = process.env.TEST_NGINX || findNginx()
  if (!program) throw new CommandError('nginx is not installed.')
  const document = await readFile(inRoot('docs', 'deploying.md'), 'utf8')
  const [, documented] = /```nginx\n([\s\S]*?)```/.exec(document) ?? []
  if (!documented)
    throw new CommandError('packages/plinth/docs/deploying.md has no configuration for nginx.')
  const hosts = instances.map(({ url }) => new URL(url).host)
  const servers = hosts.map((host) => `  server ${host} max_fails=0;\n`).join('')
  const directives = documented
    .replace(/( *server 127\.0\.0\.1:\d+ .*\n)+/, servers)
    .replace(/keepalive_timeout \d+s/, `keepalive_timeout ${keepaliveSeconds}s`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  await startNginx(program, directives, port)
}
