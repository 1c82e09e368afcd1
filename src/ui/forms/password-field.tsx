'use client'

import {
  type ComponentProps,
  lazy,
  type SyntheticEvent,
  startTransition,
  useEffect,
  useRef,
  useState,
} from 'react'
import { InputField, useFormResult } from './field'
import type { PasswordRules } from './password-strength'

/** Loaded when a new password is typed. */
const PasswordStrength = lazy(() => import('./password-strength'))

interface PasswordFieldProps
  extends Omit<ComponentProps<typeof InputField>, 'type' | 'trailing' | 'ref'> {
  /** The rules for a new password. With them the field shows how hard it is to guess. */
  rules?: PasswordRules
}

export function PasswordField({ rules, ...field }: PasswordFieldProps) {
  const { input, isReady, isShown, toggle } = useToggle()
  const [typed, setTyped] = useState('')
  const result = useFormResult()
  // After an error the field is empty again.
  useEffect(() => void (result && setTyped('')), [result])
  const read = ({ currentTarget: { value } }: SyntheticEvent<HTMLInputElement>) =>
    startTransition(() => setTyped(value))
  return (
    <div className="grid gap-1.5">
      <InputField
        {...field}
        ref={input}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        onInput={rules && read}
        trailing={
          <button type="button" hidden={!isReady} className="password-toggle" onClick={toggle}>
            {isShown ? 'Hide' : 'Show'}
            <span className="sr-only"> password</span>
          </button>
        }
      />
      {rules && (
        <div aria-live="polite">{typed && <PasswordStrength password={typed} rules={rules} />}</div>
      )}
    </div>
  )
}

/** Hidden again when the form is sent, so that no browser keeps the password as ordinary text. */
function useToggle() {
  const input = useRef<HTMLInputElement>(null)
  const [isReady, setReady] = useState(false)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    setReady(true)
    const form = input.current?.form
    const hide = () => setShown(false)
    form?.addEventListener('submit', hide)
    return () => form?.removeEventListener('submit', hide)
  }, [])
  return { input, isReady, isShown, toggle: () => setShown(!isShown) }
}
