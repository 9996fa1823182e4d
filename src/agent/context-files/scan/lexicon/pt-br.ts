/** Portuguese words of the scan. */
import type { Lexicon } from "../concept.ts";

export const ptBR: Lexicon = {
  discard:
    "ignore|ignora|ignorem|ignorar|esqueça|esquece|esqueçam|esquecer|desconsidere|desconsidera|desconsiderar|descarte|descartar|despreze|abandone|anule|cancele|apague|deixe de lado|deixa de lado|deixe de seguir|pare de seguir|pare de obedecer|não siga mais|não siga|não obedeça|não leve em conta|não leve em consideração|não dê atenção|faça vista grossa|jogue fora|passe por cima",
  void: "não valem mais|não vale mais|não se aplicam mais|não se aplica mais|já não valem|já não se aplicam|perderam a validade|perdem a validade|sem efeito|revogadas|revogada|revogados|anuladas|canceladas|obsoletas|não é mais necessária|não é mais necessário|não são mais necessárias|foi abolida|foi eliminada|não é mais preciso",
  earlier:
    "no início|no começo|que recebeu|lhe deram|te deram|anterior|anteriores|prévia|prévias|prévio|prévios|antes|acima|original|originais|inicial|iniciais|até agora|até aqui|existentes|recebidas|recebeu|precedentes|antigas",
  all: "todo|toda|todos|todas|tudo|qualquer|quaisquer|cada|sem exceção",
  your: "seu|sua|seus|suas|teu|tua|teus|tuas",
  instruction:
    "instrução|instruções|diretriz|diretrizes|orientação|orientações|prompt|prompts|diretiva|diretivas|salvaguardas",
  rule: "regra|regras|norma|normas|ordem|ordens|restrição|restrições|limites|política|políticas|limitações|treinamento|regras de segurança",
  system:
    "prompt do sistema|prompt de sistema|instruções do sistema|mensagem do sistema|regras do sistema|regras de segurança|normas de segurança|instruções do desenvolvedor",
  told: "tudo o que foi dito|tudo que foi dito|tudo o que lhe disseram|tudo o que te disseram|tudo que te disseram|tudo o que você sabe|tudo acima|tudo o que veio antes|o que lhe foi dito|tudo o que leu|tudo o que está acima",
  newSystem:
    "novo prompt do sistema|novas instruções do sistema|suas novas instruções|suas verdadeiras instruções|sua verdadeira tarefa|sua nova missão|seu verdadeiro objetivo|sua real tarefa",
  newTask:
    "novas instruções|novo objetivo|nova tarefa é|seu único objetivo|sua única tarefa|obedeça apenas|siga apenas estas|em vez disso siga|siga somente",
  supreme:
    "prioridade sobre o usuário|prioridade sobre o operador|acima do usuário|acima do operador|acima das suas|acima de qualquer|prevalece sobre|prevalecem sobre|mesmo que o usuário|não importa o que|diga o que disser",
  follow: "siga|obedeça|cumpra|acate|faça o que",
  become:
    "você é|você agora|aja|atue|comporte se|finja|torne se|assuma o papel|responda como|entre no|ative|ative o|mude para|simule|faça de conta|opere",
  free: "sem restrições|sem restrição|sem limites|sem filtros|sem regras|sem censura|sem limitações|sem qualquer restrição|sem nenhuma restrição|sem nenhum limite|livre de todas|livre de restrições|livre de qualquer|modo desenvolvedor|modo deus|modo administrador|modo manutenção|tudo é permitido|irrestrit*",
  unbound:
    "não está mais limitado|não está mais sujeito|não está mais preso|não é mais um assistente|não tem mais restrições|não tem mais limites|foi libertado|foi liberado|liberto de|livre das suas",
  reidentify:
    "você agora é|agora você é|a partir de agora você é|de agora em diante você é|seu novo nome|sua nova identidade|seu novo papel|esqueça quem você é|sua verdadeira identidade",
  person:
    "usuário|usuária|usuários|operador|operadora|operadores|pessoa|pessoas|humano|humanos|dono|revisor|revisora|revisores|ninguém|alguém|proprietário|cliente|desenvolvedor|equipe|administrador|responsável",
  work: "plano|planos|mudança|mudanças|alteração|alterações|pedido|solicitação|ação|ações|tudo|passo|passos|etapa|etapas|tarefa|tarefas|operação|operações|isto|isso",
  already: "já|previamente|antecipadamente|de antemão|automaticamente|sempre|por padrão|permanente|com antecedência",
  approved: "aprovad*|autorizad*|consentiu|aceito|aceita|aceitos|confirmad*|liberad*|concordou|permitid*",
  isApproved:
    "já está aprovad*|já estão aprovad*|já foi aprovad*|já foram aprovad*|já aprovou|já autorizou|já concordou|já deu|já consentiu|já foi autorizad*|já foram autorizad*|já está autorizad*|já estão autorizad*|aprovad* de antemão|aprovad* previamente|aprovad* antecipadamente|pré aprovad*|aprova sempre|sempre aprova|considere se aprovad*|é considerado aprovad*|são consideradas aprovad*|aprovad* automaticamente|autorização permanente|aprovação permanente|autorização geral|carta branca|concorda com tudo",
  approval:
    "aprovação|aprovações|permissão|permissões|confirmação|confirmações|consentimento|autorização|aval|assinatura|revisão|sim|anuência",
  gate: "etapa de aprovação|modo de plano|modo plano|modo de planejamento|portão de aprovação|barreira de aprovação|trava de aprovação|controle de aprovação|verificações de segurança|pedido de confirmação|pedidos de confirmação|mecanismo de aprovação|fluxo de aprovação|diálogo de confirmação|processo de aprovação|passo de aprovação",
  assume:
    "assuma|suponha|presuma|finja|considere|trate|interprete|aja como se|como se|tome ~ como|entenda ~ como|faça de conta|parta do princípio",
  skip: "pule|pula|pular|contorne|contornar|burle|burlar|desative|desativar|desabilite|evite|omita|dispense|ignore a etapa|desligue|drible|elimine",
  ask: "perguntar|pergunte|peça|pedir|esperar|espere|aguardar|aguarde|solicitar|solicite|confirmar|confirmação|aprovação|permissão|autorização|consultar|consulte|aval|consentimento",
  skipAsk:
    "sem perguntar|sem pedir|sem esperar|sem aguardar|sem aprovação|sem permissão|sem confirmação|sem autorização|sem consultar|sem solicitar|não peça|não pergunte|não espere|não aguarde|não solicite|não precisa pedir|não precisa de aprovação|não precisa de autorização|não precisa de permissão|não é preciso pedir|não é necessário pedir|não precisa esperar|não precisa perguntar|dispensa aprovação|nenhuma aprovação",
  approve:
    "aprove|autorize|confirme|aceite|assine|responda sim|responda que sim|marque como aprovado|marque ~ como aprovado|clique em aprovar",
  selfAct:
    "você mesmo|você mesma|por conta própria|em nome do|em nome da|em seu nome|no lugar do usuário|no lugar da pessoa|pelo usuário|automaticamente",
  autoApprove:
    "aprove tudo|aprove todos|aprove todas|aprove qualquer|aceite tudo|aceite todas|aceite todos|diga sim a tudo|diga sim para tudo|aprove você mesmo|aprove seus próprios|autorize tudo|conceda a si",
  silence: "silêncio|falta de resposta|ausência de resposta|não responder|não responde",
  proceed: "prossiga|continue|comece|execute|aplique|siga em frente|vá em frente|inicie|toque em frente",
  now: "agora|a partir de agora|imediatamente|de agora em diante|doravante|de imediato|diretamente|já|daqui em diante",
  danger:
    "apague|exclua|delete|execute|executar|publique|implante|produção|modifique|escreva|altere|mudanças|alterações|comandos|plano|sobrescreva|transfira|ações|aplique|instale",
  safe: "teste|testes|linter|formatação|formatador|leitura|ler|documentação|erros de digitação|busca|somente leitura|local|localmente|staging",
  tell: "diga|dizer|conte|contar|mencione|mencionar|informe|informar|avise|avisar|notifique|notificar|revele|revelar|comente|comentar|mostre|mostrar|relate|relatar|fale|falar",
  noTell:
    "sem dizer|sem informar|sem avisar|sem mencionar|sem notificar|sem contar|sem falar|não diga|não conte|não mencione|não informe|não avise|não notifique|não comente|não fale|não revele que|nunca mencione|nunca conte|não deve saber|não deve ficar sabendo|não precisa saber|não pode saber|não pode ficar sabendo|não fique sabendo|nem uma palavra|guarde silêncio|sem que ~ saiba|não deve perceber|nunca diga",
  hide: "oculte|ocultar|esconda|esconder|encubra|disfarce|mantenha em segredo|mantenha ~ em segredo|guarde ~ em segredo|omita|deixe ~ fora|mascare",
  covert:
    "em segredo|secretamente|às escondidas|pelas costas|sem que ~ perceba|sem que ~ saiba|sem que ~ note|discretamente|sorrateiramente|sem deixar rastro*|silenciosamente|em silêncio|na surdina",
  self: "isto|isso|este|esta|estes|estas|esse|essa|o que você fez|o que fez|que você|disso|disto|nisso|desta|deste",
  record: "resumo|resumos|relatório|resposta|respostas|registro|registros|histórico|mensagem final|saída|log|logs",
  tracks:
    "apague ~ rastros|apague ~ vestígios|elimine ~ rastros|elimine ~ vestígios|remova ~ rastros|destrua ~ provas|apague o histórico|apague os logs|apague os registros|não deixe rastro*|sem deixar rastro*",
  send: "envie|enviar|mande|mandar|poste|publique|transmita|encaminhe|compartilhe|vaze|suba|faça upload|exfiltre|copie|entregue|repasse",
  grab: "leia|colete|recolha|reúna|busque|procure|copie|abra|extraia|obtenha|encontre|pegue|junte",
  secret:
    "segredo|segredos|senha|senhas|credencial|credenciais|chaves|chave privada|chaves privadas|variáveis de ambiente|histórico|conversa|tokens|dados de clientes|chave de api|chaves de api|chaves ssh",
  out: "servidor externo|servidor remoto|externo|externa|terceiros|este endereço|seguinte endereço|endereço abaixo|servidor|atacante|endereço",
  include: "inclua|acrescente|adicione|cole|insira|codifique|coloque|escreva|anexe|embuta",
  publicPlace: "mensagem de commit|pull request|issue|comentário|url|link|imagem|branch|público|pública",
  fetch: "baixe|obtenha|busque|abra|visite|leia|carregue|acesse",
  run: "execute|rode|instale|inicie|obedeça|siga|aplique|faça o|cumpra",
  trigger:
    "antes de cada|antes de tudo|antes de começar|antes de fazer|antes de qualquer|no início de cada|no começo de cada|toda vez|a cada|primeiro|logo após ler|ao ler|assim que você",
  blind: "sem revisar|sem ler|sem verificar|sem conferir|às cegas|cegamente|seja o que for",
  decode: "decodifique|decifre|descodifique",
  encoded: "codificad*|cifrad*|criptografad*",
  authority:
    "mensagem do operador|mensagem do seu operador|mensagem do sistema|mensagem do administrador|mensagem dos desenvolvedores|sou seu operador|sou o operador|sou o administrador|sou seu desenvolvedor|por ordem de|por ordem do|por ordem da|em nome da equipe de segurança|aqui é o administrador|aqui fala|seus criadores|aviso do sistema",
  address:
    "se você é uma ia|se você for uma ia|se você é um modelo|se você é um assistente|se você é um agente|se você for um|como ia|agentes de ia|a todas as ias|atenção ia|atenção agente|atenção assistente|atenção agentes|nota para a ia|nota para o assistente|nota para o agente|nota para agentes|nota ao assistente|caro assistente|querida ia|prezado assistente|modelos de linguagem|que estiver lendo|que lê este|ao ler este",
  not: "não|nunca|jamais|nenhum|nenhuma|proibido|proibida|sem|ninguém|evite|nem|recuse|em vez de|nada|tampouco",
  without: "sem",
  noNeed: "não precisa|não é necessário|não é preciso|desnecessário|desnecessária|dispensável",
  if: "se|quando|onde|caso|sempre que|enquanto",
  only: "só|somente|apenas|unicamente|exclusivamente",
  unless: "salvo|exceto|até|a menos",
  before: "antes",
  after: "depois|após|uma vez|assim que|logo",
  report:
    "ataque|ataques|atacante*|malicios*|injeção|injeções|tent*|exemplo|exemplos|por exemplo|suspeit*|detect*|ameaça*|textos que|texto que|mensagens que|pede|pedem|phishing|engan*|alega|alegam|finge ser|vulnerab*|risco|riscos|incidente*|erro|erros|lição|lições|manipul*",
  outside:
    "em páginas|na página|páginas web|página web|páginas da web|em issues|em comentários|comentários|em documentos|em e mails|e mails|mails|externas|externos|terceiros|contidas|conteúdo|embutid*|ferramenta|ferramentas|dados|linter|eslint|no windows|desta seção|dependências|anexos",
  protocol:
    "cabeçalho|cabeçalhos|json|corpo|cofre|vault|gerenciador de senhas|pública|rotação|formulário|entrar|login|fictíci*|hash|equipe de segurança",
};
