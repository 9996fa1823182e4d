export const texts = {
  plugin_code_mode: "コードモード",
  about_code_mode: "エージェントは隔離された小さなプログラムからツールを呼び出します。",
  codeModeCells:
    "コードモード：この実行ではモデルに {tools} 個のツール（約 {direct} トークン）の代わりに exec と wait（約 {cost} トークン）を見せます。",
  codeModeDirect:
    "コードモード：この実行ではモデルに {tools} 個のツールをそのまま見せます（約 {direct} トークン）。exec と wait なら約 {cost} です。",
  codeModeUnavailable:
    "コードモードは有効ですが、サンドボックスを起動できません（runtime_unavailable）。モデルには問い合わせていません。",
};
