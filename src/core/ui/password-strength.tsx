import { estimateStrength, type PasswordRules } from './estimate-strength'

/** A hint only: the server decides. */
export default function PasswordStrength(props: { password: string; rules: PasswordRules }) {
  const { level, text } = estimateStrength(props.password, props.rules)
  return (
    <p className="password-strength" data-level={level}>
      {text}
    </p>
  )
}
