import { run } from 'plinth/testing'

/** Runs `npm run attack` with these arguments. */
export async function runAttack(args: string[]) {
  const command = run(process.execPath, ['attack/attack.mjs', ...args], {})
  return { code: await command.exited, output: command.output() }
}
