import { type PageWeight, type Part, weighHtml } from './weigh-html'

/** Throws with a list of what weighs most. */
export function requireWithinBudget(path: string, html: string, maxKilobytes: number): void {
  const weight = weighHtml(html)
  if (weight.total <= maxKilobytes * 1024) return
  const heading = `${path} is ${kilobytes(weight.total)} of HTML. Its budget is ${maxKilobytes} KB.`
  throw new Error([heading, ...reportOf(weight)].join('\n'))
}

/** What weighs most, a line for each part. */
export function reportOf(weight: PageWeight): string[] {
  const { payloadClasses, rows, elements, attributes } = weight
  return [
    `  markup: ${kilobytes(weight.markup)}`,
    ...elements.slice(0, 12).map(line),
    '  of which attributes:',
    ...attributes.slice(0, 6).map(line),
    `  inline React payload: ${kilobytes(weight.payload)}`,
    line(payloadClasses),
    ...rows.slice(0, 6).map(line),
    `  other inline scripts: ${kilobytes(weight.scripts)}`,
  ]
}

function line({ name, count, bytes }: Part): string {
  return `    ${kilobytes(bytes).padStart(8)}  ${name}${count > 1 ? ` × ${count}` : ''}`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`
}
