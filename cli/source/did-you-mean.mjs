/** `Unknown module: contnet. Did you mean content?` */
export function didYouMean(name, names) {
  const nearest = nearestName(name, names)
  return nearest ? ` Did you mean ${nearest}?` : ''
}

/** The name that was probably meant, if one is close enough to be a typing error. */
function nearestName(name, names) {
  const [nearest] = names
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ candidate, distance }) => distance <= (candidate.length > 3 ? 2 : 1))
    .sort((one, other) => one.distance - other.distance)
  return nearest?.candidate
}

function editDistance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = row[column] + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(replaced, row[column + 1] + 1, next[column] + 1))
    }
    row = next
  }
  return row.at(-1)
}
