// Made by Training/kanji.py from the names of GeoNames (CC BY 4.0).

/// The usual readings of Chinese characters in the names of Japanese towns, whose Mandarin readings do not match.
enum KanjiReadings {
  /// The readings of a character at the start of a name or later, the most usual first.
  static func readings(_ character: Unicode.Scalar, first: Bool) -> [String]? {
    table[character].map { first ? $0.first : $0.later }
  }

  private static let table: [Unicode.Scalar: (first: [String], later: [String])] = {
    let words = readings.split(whereSeparator: \.isWhitespace)
    var table: [Unicode.Scalar: (first: [String], later: [String])] = [:]
    for index in stride(from: 0, to: words.count - 2, by: 3) {
      guard let character = words[index].unicodeScalars.first else { continue }
      let (first, later) = (words[index + 1].split(separator: ","), words[index + 2].split(separator: ","))
      table[character] = (first.map { String($0) }, later.map { String($0) })
    }
    return table
  }()

  private static let readings = """
    一 ichi,hito ichi,hito 七 shichi,nana,san shichi,nana,san 万 man ma,shamam 三 mi,san san,no 上 kami,ue kami,jo
    下 shimo shita,ge,shimo 与 yo,cha yo,cha 世 se se 丘 gaoka gaoka 中 naka naka,chu 串 kushi gushi 丸 maru maru
    丹 tam,ta,tan tan,tami,tam 久 ku ku 之 no no 九 ku kyu 亀 kame game 予 yo yo 二 ni,futa ni 五 go go 井 i i
    京 kyo kyo,kyoshi,ka 人 hito neri 仁 ni ni,n 今 ima,na nima 仙 sen,sembo sen 代 yo,dai yo,shiro 仲 na naka 伊 i i
    伏 fushi bushi,fushi 佐 sa sa 保 nishitokyo,ho bo 俣 namata,mata namata,mata 倉 kura kura,ra 元 moto moto
    光 hikari mitsu,kko,ko 免 men me,men 児 koda ni,go,koda 入 iri,iru,nyu iri 內 nai,i nai,i 八 ya,hachi hachi,ya
    六 roku,mui,roppo roku,mui,roppo 内 uchi nai,chi,i 出 izu de,ji,idecho 分 bun,ita,bu bun,ita,bu 刈 kari kari
    初 shosa,hatsu shosa,hatsu 別 bep betsu 利 ri ri,shikaga 前 mae mae,zen,saki 加 ka ka 勝 katsu ssho 勢 se se
    北 kita,ho kita,hoku 匝 so so 十 to,ju ju,nto 千 chi,se chi,ji 半 han han 南 minami,nan,na nan,minami 占 shi jime
    印 i,inza i,inza 厚 atsu,a atsu 原 hara,ichihara,higashia hara,wara 取 tori torishi,tori,ttorishi 口 guchi guchi
    古 furu,ko ko 可 ka ka 台 tai dai 各 ka ka 合 ko i,ri 吉 yoshi,kichi yoshi 名 na na 向 mu,mukai,e ga
    吹 sui,fukia buki,ki 呂 ro ro 周 su,shu su,shu 味 mi mi 和 wa wa,mato 善 ze zen 喜 ki ki,kichuo 嘉 ka ka
    四 shi,yo,yok shi,yo,yok 国 koku,kuni kuni,koku,shi 園 sono n 土 to to 地 ji,chi ji,chi 坂 saka,ban saka 坊 bo bo
    垣 gaki gaki 城 jo,shiro ki,jo 埼 nzaki nzaki 堀 hori bori 場 ba ba 塚 tsuka tsuka,ka,zuka 塩 shio,enza shio
    境 sakai sakai 士 shi,minamishi ji,shi 多 ta ta 大 o o,ya 天 te,ama ama,ten 太 o,tai,da o 央 o,no o,no 奈 na na
    奥 o,oku,okuno o,oku,okuno 奧 o tsu 妻 me tsuma 子 shi,ko,ji shi,ko,ji 孫 bi bi 宇 u u 守 mori mori
    安 a,yasu,an yasu,an 宜 gi gi 宝 takarazu,ho takarazu,ho 室 muro muro 宮 miya nomiya,miya,gu 宿 su,shuku juku,ki,ku
    寄 yori yoro,shoro 富 fu,tomi tomi,fu 寒 sa ssamu 寺 ji,cho ji,cho 寿 sut su 小 o,ko ko,o 尻 jiri,kushiri jiri,kushiri
    尾 o o 居 i i 屋 ya ya 山 yama yama 岐 gi ki,ta 岡 oka oka 岩 iwa iwa 岸 kishi kkeshi,gan,gishicho 島 shima shima,jima
    崎 saki saki 嵐 ranza,arashi ranza,arashi 川 kawa kawa 州 shu shu 巣 su su 巻 maki,nomaki maki,nomaki 市 ichi ichi,shi
    布 fu bu,fu,pu 常 to,jo,hi to,jo,hi 幌 horo horo,ro 幡 man,wata,bata man,wata,bata 平 hira bira,he,daira
    幸 sat saiwai,sashi 広 hiro hiro 庄 sho jo,nosho,sho 府 fu fu,pu,bu 度 do do 座 za za 廣 hiro hiro 延 nobe nobe,nobu
    引 hiki hiki,hikimachi 弘 hiro hiro 弥 ya ya 張 bari,wari,ri bari,wari,ri 形 gata gata 彦 hiko hiko 後 ko go
    御 mi,go,o mi 徳 toku toku 志 shi,mina shi 恵 e e 愛 ai,e ai,e 成 nari,naru nari 我 a a 戶 do,be do,be 戸 to,he to,nohe
    所 tokoro sho,se,jo 手 de de 指 ibusu,sashi ibusu,sashi 掛 kake kage 摩 ma,n ma,n 敷 shiki shiki 文 bu,bun bu,bun
    新 shin,nii,shi shi,shin,ara 方 kata,ta kata,ta 日 hi,ni ka 早 haya,wa haya 旭 asahi asahi 明 aka,a ake
    春 kasu,haru wara,kasu 昭 aki,sho aki,sho 是 ze ze 曲 magari,kuma magari,kuma 更 sara sara,tofuke 曽 so so
    月 mi,tsuki tsuki 朝 asa,a sasa,asa 木 ki ki 本 hon,moto moto,hon 杉 sugi sugi 村 mura mura 条 jo jo
    来 gi,ko,kuri gi,ko,kuri 東 higashi,to to,higashi 杵 ki ki,nogishu 松 matsu matsu 板 ita ita
    林 hayashi,rin bayashi,bayashicho,rin 枝 e noema,eda 柏 kashiwa,kashi kashiwa,kashi 柳 yana,yanai yanagi
    栃 tochi tochi 栖 su su 栗 kuri,ku,rit guri 根 ne ne 桐 ki giri 桑 kuwa,ko kuwa,ko 桜 sakura sa,sakura 梁 yana hashi,na
    梅 ume me 條 jo jo 森 mori mori,morinaka 椎 shi,shii shi,shii 検 ke ken 楽 raku,gura,ra raku,gura,ra 槻 tsuki tsuki
    標 shibe shibe 横 yoko yoko 橋 hashi bashi 歌 uta,ka ka 武 mu,take mu,n,bu 殿 dono,tem dono,tem 比 hi,pip bi,i
    毛 kumo,ke kumo,ke 気 ke ke 水 mi,mizu,sui mizu 氷 hi hi 永 naga,ei naga 江 e,ko e,mi 池 ike ike,chi 沖 oki oki
    沢 zawa zawa 河 ko,kawa,ka ga,kawa 治 ji,bari ji,bari 沼 numa numa 泉 izumi,sen izumi,sen,zumi 泊 tomari domari
    波 ba ba 津 tsu tsu,zu 洲 su zu 流 nagare ru,nagare 浅 asa asa 浜 hama hama 浦 ura ura 浪 nami nami 海 e,kai mi,kai,umi
    深 fuka,fu bukamachi,fuka,fukamura 添 soe soe 清 kiyo,shi,sei shi 渋 shibu shibu 渡 to,o do 温 on on 港 yoichi minato
    湊 minato minato 湖 ko ko 湯 yu,yuno yu,yuno 滑 nameri koname 滝 taki taki 潟 kata gata 潮 ita shio 澤 zawa zawa
    濃 no no 濱 hama bama 瀬 se se 無 nashi,na,shitokyoshi nashi,na,shitokyoshi 熊 kuma kuma 父 bu,ppu bu,ppu 片 kata kata
    牛 ushi go 牟 mu mu 牧 maki maki,mai 犬 inu inu 狩 kari kari,kkari 狭 sa sa 玉 tama,tamano ma,tama 王 o o,nno 珠 su su
    琴 koto koto 瑞 mizu mizu 瑳 sa sa 甘 ama ama 生 i,sho ryu 用 yo yo 田 ta da 由 yu yu 甲 ko ko 男 o o 町 machi cho,machi
    留 ru ru 畠 hata,batake hata,batake 発 ba ba 登 nobori,to do,nobori 白 shira,shiro,haku shira,jiro 百 yu o,hyakko
    益 masu,mashi masu,mashi 目 me me,nome 相 saga,aio,ai so 県 gata gata 真 ma,mo ma 矢 ya ya 知 chi chi 石 ishi ishi
    砂 suna sago 砺 to to,toshi 磐 iwa iwa 磯 iso iso 神 ko,kami,ka ka,jin,kami 福 fuku,fu fuku 秋 aki aki
    秩 chichi,chi chichi 稚 wakka wakka 稲 ina se,ina 立 tachi,tatsu tachi,ryu,tate 竜 ryu ryu 竹 take,ta,takenou take
    笠 kasa kasa 筑 chiku,tsuku chiku,tsuku 築 tsuki,tsui tsuki 篠 sasa sasa,shino 米 yone,yona,mai me,mai
    粟 higa awa,so,awaga 糸 ito ito,shi 納 no na,no 結 yu yu 網 a ami 綾 aya aya 総 so so 縄 nawa nawa 置 oke gi,oki
    美 mi,bi mi,mimachi 羽 ha ba,wa,bane 老 bi,oi bi,oi 能 no no 脇 wakimachi waki 臼 usu usu 興 okop okop 舎 to sha,naka
    舘 date date 舞 mai mo,buki,mai 舟 funa funa 船 funa,fune,hon fune,funa 良 ra ra 芝 shiba shiba 芦 ashi ashi
    花 hana bana 芸 ki ki 若 waka waka 苫 toma toma 茂 mo,mote mo,shige 茅 chi,chiga kaya 茨 ibara ibara 茶 cha cha
    草 kusa,so kusa 荒 ara ara 荘 jo,sho jo,sho 菅 suga suge 菊 kiku kiku 萩 hagi hagi 葉 ha ba 葛 ka,katsura,kuzu kumi
    蒲 kan,gama,ga bu 蓮 hasu hasu 蔵 kura sashi,zo 薩 se se 藤 fuji to 蘆 ashi,a ashi,a 蘇 so so 蘭 ran ran
    行 gyo,yuku,namega gyo 街 chimata,tsukai chimata,tsukai 袋 fukuro bukuro 西 nishi,sai nishi,sai,i 覇 ha ha 見 mi mi
    角 kaku,kakuno zuno,nawa 訪 wa wa 諏 su su 諸 moro moro 護 go go 谷 ya ya,gaya 豆 zu zu 豊 toyo toyo 豐 toyo toyo
    貝 kai kai 賀 ga ga 赤 aka aka 越 o,koshi,koshiga goshi,goe,etsu 足 a a,tari 路 ji,ro ji,ro 軽 karu ru 輪 wa wa,nawa
    辰 tatsu tatsu 辺 nabe,be,nobe nabe,be,nobe 込 gome gome 近 o o 連 ren,re ren,re 道 do do,nomichi 達 te,datsu te,datsu
    遠 to nga 那 na na 郡 kori,gu gori 部 be,pe be,pe 郷 go,sato,saitama go,sato,saitama 都 tsu,miyakono tsu,to
    酒 saka,shi su 里 sato sato,ri 野 no no 金 kana,kane,ki gane,kana 釜 kama gama 銚 cho cho 長 naga naga
    門 kado,mon to,mitsuishi,mon 間 ma ma 関 seki,sekimachi noseki,seki 阜 fu,ka fu,ka 阪 han saka 阿 a a
    陀 da,yamaguchi da,yamaguchi 陸 riku,mu tachi,riku 陽 nyo,yo nyo,yo 雨 u u 雲 un mo,kumo 霞 kasumiga ka 青 ao,o ao,to
    静 shizu shizu 音 o non,na 須 su su,zo 頓 ton ton 頭 to gami,zu 飛 fu,hi,a fu,hi,a 飯 ii,han i 養 ya ya 館 tate date
    香 ka ka 馬 nishima,ma ma,ba 駒 koma,komaga koma 騨 rukawa,da rukawa,da 高 taka taka 魚 uo,ya i,uo 鳥 to suka
    鳴 naru,narutocho naru,narutocho 鴨 kamo gamo 鶴 tsuru zuru,nazuru,tsuru 鷹 takano,taka taka 鹿 ka ga 麻 o,aza ma,a
    黒 kuro guro 龍 tatsu,ryuga tatsu,ryuga
    """
}
