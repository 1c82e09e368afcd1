/** The metrics of a server as text. */
export async function scrape(metricsUrl: string): Promise<string> {
  const response = await fetch(`${metricsUrl}/metrics`)
  if (!response.ok) throw new Error(`The scrape returned ${response.status}.`)
  return response.text()
}

/** The values by series: `name{label="value"}`. */
export function readSeries(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}

export function sumOf(series: Record<string, number>, name: RegExp): number {
  const values = Object.entries(series).filter(([key]) => name.test(key))
  return values.reduce((sum, [, value]) => sum + value, 0)
}
