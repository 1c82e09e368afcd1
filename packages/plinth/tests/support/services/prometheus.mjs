import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onShutdown, startProcess } from '../../../scripts/processes.mjs'
import {
  captureOutput,
  findProgram,
  freePort,
  waitUntilReady,
} from '../../../scripts/services/programs.mjs'

export function findPrometheus() {
  return findProgram('prometheus', ['/usr/bin', '/opt/homebrew/bin', '/usr/local/bin'])
}

/** It is installed with Prometheus, in the same folder. */
export function promtool(prometheus) {
  return join(dirname(prometheus), 'promtool')
}

/** Starts a Prometheus that scrapes the target every two seconds. */
export async function startPrometheus(program, target, { rules } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-prometheus-'))
  const removeFolder = onShutdown(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'prometheus.yml')
  await writeFile(file, JSON.stringify(settingsFor(target, rules)))
  const url = `http://127.0.0.1:${await freePort()}`
  const server = startProcess(
    program,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    { stopSignal: 'SIGTERM' },
  )
  const output = captureOutput(server.child)
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntilReady('Prometheus', { exited: server.exited, output }, isReady)
  return {
    url,
    async stop() {
      await server.stop()
      await removeFolder()
    },
  }
}

/** JSON is YAML too. */
function settingsFor(target, rules) {
  return {
    global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
    ...(rules ? { rule_files: [rules] } : {}),
    scrape_configs: [{ job_name: 'plinth', static_configs: [{ targets: [target] }] }],
  }
}
