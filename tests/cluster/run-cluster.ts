import { run } from 'plinth/testing'

/** Runs `npm run test:cluster` with these arguments. */
export async function runCluster(args: string[]) {
  const command = run(process.execPath, ['cluster/cluster.mjs', ...args], {})
  return { code: await command.exited, output: command.output() }
}
