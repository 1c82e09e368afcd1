import { parentPort } from 'node:worker_threads'
import { convertToHtml } from './convert.mjs'

parentPort.on('message', (text) => parentPort.postMessage({ html: htmlOf(text) }))
parentPort.postMessage('ready')

/** `undefined` if the text cannot be converted. */
function htmlOf(text) {
  try {
    return convertToHtml(text)
  } catch {
    return undefined
  }
}
