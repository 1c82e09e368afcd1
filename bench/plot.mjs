const width = 760
const left = 235
const right = 150
const rowHeight = 30
const top = 56

/**
 * A bar chart of requests per second. An SVG image does not inherit the text color of the page, so
 * it uses prefers-color-scheme.
 *
 * @param {{ label: string, rate: number, ofBare: number }[]} figures
 */
export function drawRates(figures) {
  const maxRate = Math.max(...figures.map(({ rate }) => rate))
  const height = top + figures.length * rowHeight + 14
  const bars = figures.map((figure, index) => bar(figure, top + index * rowHeight, maxRate))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">Session check: requests per second</title>
<desc id="description">${escapeXml(describeRates(figures))}</desc>
<style>
text { font: 14px system-ui, sans-serif; fill: #1f2328 }
.heading { font-size: 16px; font-weight: 600 }
.note { fill: #59636e; font-size: 13px }
.other { fill: #9aa4af }
.plinth { fill: #0f766e }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.note { fill: #9198a1 }
.other { fill: #59636e }
.plinth { fill: #2dd4bf }
}
</style>
<text class="heading" x="0" y="18">Session check: requests per second</text>
<text class="note" x="0" y="38">One process each, 32 connections, PostgreSQL unless embedded; × bare node:http</text>
${bars.join('\n')}
</svg>
`
}

function bar({ label, rate, ofBare }, y, maxRate) {
  const length = Math.max(1, Math.round(((width - left - right) * rate) / maxRate))
  const kind = label.startsWith('Plinth') ? 'plinth' : 'other'
  return `<text x="${left - 12}" y="${y + 19}" text-anchor="end">${escapeXml(label)}</text>
<rect class="${kind}" x="${left}" y="${y + 5}" width="${length}" height="${rowHeight - 10}" rx="2"/>
<text x="${left + length + 8}" y="${y + 19}">${formatRate(rate)} <tspan class="note">${formatRatio(ofBare)} ×</tspan></text>`
}

function describeRates(figures) {
  return figures
    .map(
      ({ label, rate, ofBare }) =>
        `${label}: ${formatRate(rate)}, ${formatRatio(ofBare)} times the bare server.`,
    )
    .join(' ')
}

function formatRate(rate) {
  return rate.toLocaleString('en-US')
}

function formatRatio(value) {
  return value.toFixed(value < 0.1 ? 3 : 2)
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
