import { findProgram, isExecutable } from './find-program.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Chromium without a user interface. It takes less than half of the CPU time. */
export function findHeadlessShell() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  // The program in /usr/bin is a script, which would stay between us and the browser.
  return findProgram('chromium-headless-shell', ['/usr/lib/chromium'])
}

export function findChromium() {
  const shell = findHeadlessShell()
  if (shell) return shell
  for (const name of names) {
    const program = findProgram(name, ['/usr/bin'])
    if (program) return program
  }
  return applications.find(isExecutable)
}
