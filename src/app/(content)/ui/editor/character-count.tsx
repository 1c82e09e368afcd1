import { type RefObject, useEffect, useState } from 'react'

interface CharacterCountProps {
  textarea: RefObject<HTMLTextAreaElement | null>
  maxLength: number
}

/** Screen readers hear only that the limit is near or exceeded, not every number. */
export function CharacterCount({ textarea, maxLength }: CharacterCountProps) {
  const length = useLength(textarea)
  const isNear = length > maxLength * 0.9
  const isOver = length > maxLength
  return (
    <p className={isOver ? 'field-error' : 'field-description'}>
      {count(length)}
      {isNear && ` of ${count(maxLength)}`} {length === 1 ? 'character' : 'characters'}
      <span role="status" className="sr-only">
        {isOver && `The text has more than ${count(maxLength)} characters.`}
        {isNear && !isOver && `Close to the limit of ${count(maxLength)} characters.`}
      </span>
    </p>
  )
}

function count(characters: number): string {
  return characters.toLocaleString('en-US')
}

function useLength(textarea: RefObject<HTMLTextAreaElement | null>): number {
  const [length, setLength] = useState(0)
  useEffect(() => {
    const element = textarea.current
    const update = () => setLength(element?.value.length ?? 0)
    update()
    element?.addEventListener('input', update)
    return () => element?.removeEventListener('input', update)
  }, [textarea])
  return length
}
